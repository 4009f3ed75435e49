import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLASSES, RANGES } from './classes';
import { loadEgressPolicy, POLICY_VARIABLES } from './policy';

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'private-networks.md'), 'utf8');

describe('docs/private-networks.md', () => {
  it('names every range that is not public, and every carrier', () => {
    const ranges = RANGES.filter(({ class: name, source }) => name !== 'public' || source.startsWith('carrier'));
    expect(ranges.filter(({ cidr }) => !PAGE.includes(`\`${cidr}\``)).map(({ cidr }) => cidr)).toEqual([]);
  });

  it('lists as grantable what is grantable', () => {
    const [, table = ''] = /These need one:\n\n([^]*?)\n\n/.exec(PAGE) ?? [];
    const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, cidr]) => cidr);
    const grantable = RANGES.filter(({ class: name }) => CLASSES[name].verdict === 'grantable');
    expect(listed.sort()).toEqual(grantable.map(({ cidr }) => cidr).sort());
  });

  it('has only examples that can be used', () => {
    const blocks = [...PAGE.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => text);
    const inline = [...PAGE.matchAll(/NAVIN_PRIVATE_NETWORKS: '([^']+)'/g)].map(([, text = '']) => text);
    const lists = [...blocks, ...inline];
    expect(lists).toHaveLength(4);
    for (const text of lists) {
      expect(loadEgressPolicy({ [POLICY_VARIABLES.grants]: text }).grants.length).toBeGreaterThan(0);
    }
    const [, dev = ''] = /^NAVIN_DEV_API_SERVER=(.+)$/m.exec(PAGE) ?? [];
    expect(loadEgressPolicy({ [POLICY_VARIABLES.devApiServer]: dev }).devApiServer?.port).toBe(6443);
  });
});
