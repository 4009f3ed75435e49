import { describe, expect, it } from '@jest/globals';
import { parseChecks } from './health';

describe('the health checks of an API server', () => {
  it('are read line by line, failed ones too', () => {
    const text = [
      '[+]ping ok',
      '[-]etcd failed: reason withheld',
      '[+]etcd-readiness excluded: ok',
      '[+]poststarthook/rbac/bootstrap-roles ok',
      'readyz check failed',
      '',
    ].join('\n');
    expect(parseChecks(text)).toEqual([
      { name: 'ping', ok: true },
      { name: 'etcd', ok: false },
      { name: 'etcd-readiness', ok: true },
      { name: 'poststarthook/rbac/bootstrap-roles', ok: true },
    ]);
  });

  it.each(['ok', '', '<html>[+]ping ok</html>', '[?]ping ok', '[+] ok', `[+]${'a'.repeat(300)} ok`])(
    'are none in %j',
    (text) => {
      expect(parseChecks(text)).toEqual([]);
    },
  );
});
