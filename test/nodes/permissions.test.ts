import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { NODES } from '../../nodes/catalog';
import { permissionSections } from '../../nodes/shared/permissions';

const PAGE = readFileSync(join(__dirname, '../../docs/permissions.md'), 'utf8');
const SECTIONS = permissionSections(NODES.flatMap(({ resources }) => resources));

/** What a section says, without how prettier lays it out. */
function meaning(section: string): unknown {
  const [, yaml] = /```yaml\n([^]*?)```/.exec(section) ?? [];
  if (yaml !== undefined) return loadAll(yaml);
  const cells = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replace(/^-+$/, '-')));
  return cells.filter((row) => row.length > 1);
}

describe('docs/permissions.md', () => {
  it.each(Object.keys(SECTIONS))('shows the section %s as it follows from the operations', (name) => {
    const [, shown = ''] = new RegExp(`<!-- generated:${name} -->([^]*?)<!-- /generated:${name} -->`).exec(PAGE) ?? [];
    expect(meaning(shown)).toEqual(meaning(SECTIONS[name] ?? ''));
  });
});
