import { isRecord } from './kubeObject';

/** The longest name of a CronJob: its Jobs have it with eleven more characters, and their names end at 63. */
export const MAX_CRON_JOB_NAME = 52;
/** What Kubernetes appends to a generated name. */
const GENERATED = 5;

/** Something of a CronJob that the API server refuses or would read otherwise than it was meant. */
export interface CronJobProblem {
  /** `spec.schedule` */
  readonly field: string;
  /** The rest of a sentence that begins with the field: `has six fields`. */
  readonly problem: string;
  readonly hint?: string;
}

type Found = Omit<CronJobProblem, 'field'>;

/** Words for common schedules, as the controller reads them. */
const MACROS: ReadonlySet<string> = new Set([
  '@annually',
  '@daily',
  '@hourly',
  '@midnight',
  '@monthly',
  '@weekly',
  '@yearly',
]);

/**
 * What is wrong with a CronJob, or with a part of one: what is not there is not looked at, and what only the controller's
 * own reader can judge (the values of the fields) is left to the API server.
 */
export function cronJobProblem(cronJob: unknown): CronJobProblem | undefined {
  const { metadata, spec } = isRecord(cronJob) ? cronJob : {};
  const { name, generateName } = isRecord(metadata) ? metadata : {};
  const { schedule, timeZone } = isRecord(spec) ? spec : {};
  return (
    at('metadata.name', nameProblem(name, MAX_CRON_JOB_NAME)) ??
    at('metadata.generateName', nameProblem(generateName, MAX_CRON_JOB_NAME - GENERATED)) ??
    at('spec.schedule', typeof schedule === 'string' ? scheduleProblem(schedule) : undefined) ??
    at('spec.timeZone', typeof timeZone === 'string' ? timeZoneProblem(timeZone) : undefined)
  );
}

function at(field: string, found: Found | undefined): CronJobProblem | undefined {
  return found === undefined ? undefined : { field, ...found };
}

function nameProblem(name: unknown, longest: number): Found | undefined {
  if (typeof name !== 'string' || name.length <= longest) return undefined;
  return { problem: `is longer than ${longest} characters`, hint: CRON_JOB_NAME_HINT };
}

export const CRON_JOB_NAME_HINT =
  'The names of its Jobs are eleven characters longer, and names of Jobs end at 63 characters';

/** What is wrong with a schedule, as far as can be said without reading its values. */
export function scheduleProblem(schedule: string): Found | undefined {
  if (schedule.includes('TZ')) {
    return {
      problem: 'must not hold a time zone (TZ= or CRON_TZ=)',
      hint: 'Name it in the time zone of the CronJob (spec.timeZone), for example Europe/Berlin',
    };
  }
  const [first = '', ...more] = schedule.trim().split(/\s+/);
  if (first.startsWith('@')) {
    const isKnown = first === '@every' ? more.length === 1 : MACROS.has(first) && more.length === 0;
    return isKnown ? undefined : { problem: `must be one of ${[...MACROS].join(', ')}, or @every with a duration` };
  }
  const count = first === '' ? 0 : more.length + 1;
  if (count === 5) return undefined;
  const why = count > 5 ? ': Kubernetes knows neither seconds nor years' : '';
  return {
    problem: `has ${count} fields instead of five${why}`,
    hint: 'Write minute, hour, day of month, month and day of week, for example 0 3 * * *',
  };
}

/** What is wrong with the name of a time zone. Names are those of the IANA database, which the host of n8n has, too. */
export function timeZoneProblem(timeZone: string): Found | undefined {
  const hint = 'Write a name of the IANA database, for example Europe/Berlin or UTC';
  if (timeZone === '')
    return { problem: 'is empty', hint: `Leave it out for the time zone of the controller. ${hint}` };
  if (/^local$/i.test(timeZone)) return { problem: 'must not be Local: that is wherever the controller runs', hint };
  const known = knownAs(timeZone);
  if (known === undefined) {
    const near = cityOf(timeZone);
    return {
      problem: 'is no time zone that is known',
      hint: near === undefined ? hint : `It may be meant ${near}. ${hint}`,
    };
  }
  const isMiswritten = known !== timeZone && known.toLowerCase() === timeZone.toLowerCase();
  return isMiswritten ? { problem: `must be written ${known}: upper and lower case count` } : undefined;
}

/** The name of a time zone as it is written; undefined where there is none. Offsets are none: `+01:00`. */
function knownAs(timeZone: string): string | undefined {
  if (!/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The time zone of a city: `Europe/Berlin` for `Berlin`. */
function cityOf(text: string): string | undefined {
  const city = `/${text.trim().toLowerCase().replace(/^.*\//, '').replaceAll(' ', '_')}`;
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(city));
}
