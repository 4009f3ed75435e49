import { describe, expect, it } from '@jest/globals';
import { cronJobProblem, scheduleProblem, timeZoneProblem } from './cronJob';

describe('the schedule of a CronJob', () => {
  it.each(['0 3 * * *', '  */15   0-6 1,15 JAN-MAR MON#1 ', '? ? ? ? ?', '@daily', '@midnight', '@every 1h30m'])(
    '%s is for the API server to judge',
    (schedule) => {
      expect(scheduleProblem(schedule)).toBeUndefined();
    },
  );

  it.each([
    ['TZ=Europe/Berlin 0 3 * * *', /^must not hold a time zone \(TZ= or CRON_TZ=\)$/, /spec\.timeZone/],
    ['CRON_TZ=UTC @daily', /^must not hold a time zone/, /spec\.timeZone/],
    ['0 0 3 * * *', /^has 6 fields instead of five: Kubernetes knows neither seconds nor years$/, /0 3 \* \* \*/],
    ['0 3 * *', /^has 4 fields instead of five$/, /minute, hour/],
    ['', /^has 0 fields instead of five$/, /minute, hour/],
    ['@reboot', /^must be one of @annually, @daily, /, undefined],
    ['@Daily', /^must be one of/, undefined],
    ['@daily 3', /^must be one of/, undefined],
    ['@every', /^must be one of/, undefined],
  ])('%s is refused', (schedule, problem, hint) => {
    const found = scheduleProblem(schedule);
    expect(found?.problem).toMatch(problem);
    if (hint === undefined) expect(found).not.toHaveProperty('hint');
    else expect(found?.hint).toMatch(hint);
  });
});

describe('the time zone of a CronJob', () => {
  it.each([
    'Europe/Berlin',
    'UTC',
    'Etc/UTC',
    'Etc/GMT+5',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'US/Pacific',
    'Europe/Kyiv',
  ])('%s is known', (timeZone) => {
    expect(timeZoneProblem(timeZone)).toBeUndefined();
  });

  it.each([
    ['Local', 'must not be Local: that is wherever the controller runs', /^Write a name/],
    ['local', 'must not be Local: that is wherever the controller runs', /^Write a name/],
    ['', 'is empty', /^Leave it out/],
    ['Berlin', 'is no time zone that is known', /^It may be meant Europe\/Berlin\. /],
    ['America/New York', 'is no time zone that is known', /^It may be meant America\/New_York\. /],
    ['+01:00', 'is no time zone that is known', /^Write a name/],
    ['Mars/Olympus', 'is no time zone that is known', /^Write a name/],
    ['../etc/passwd', 'is no time zone that is known', /^Write a name/],
    ['europe/berlin', 'must be written Europe/Berlin: upper and lower case count', undefined],
  ])('%s is refused', (timeZone, problem, hint) => {
    const found = timeZoneProblem(timeZone);
    expect(found?.problem).toBe(problem);
    if (hint !== undefined) expect(found?.hint).toMatch(hint);
  });
});

describe('a CronJob', () => {
  const spec = { schedule: '@daily', timeZone: 'UTC' };

  it.each([
    [{ metadata: { name: 'a'.repeat(53) }, spec }, 'metadata.name', 'is longer than 52 characters'],
    [{ metadata: { generateName: 'a'.repeat(48) }, spec }, 'metadata.generateName', 'is longer than 47 characters'],
    [{ spec: { ...spec, schedule: '' } }, 'spec.schedule', 'has 0 fields instead of five'],
    [{ spec: { ...spec, timeZone: 'Local' } }, 'spec.timeZone', expect.stringMatching(/^must not be Local/)],
  ])('names the field that is wrong', (cronJob, field, problem) => {
    expect(cronJobProblem(cronJob)).toMatchObject({ field, problem });
  });

  it.each([
    { metadata: { name: 'a'.repeat(52) }, spec },
    { metadata: { generateName: 'a'.repeat(47) }, spec },
    { metadata: { name: 7 }, spec: { schedule: 7, timeZone: null } },
    { metadata: {} },
    { spec: [] },
    undefined,
    'text',
  ])('is for the API server to judge otherwise', (cronJob) => {
    expect(cronJobProblem(cronJob)).toBeUndefined();
  });
});
