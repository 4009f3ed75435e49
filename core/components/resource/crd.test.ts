import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readManifest } from '../../manifest';
import { componentCrd } from './crd';

it('the definition an administrator installs is the one of this source', () => {
  const file = join(__dirname, '../../../operator/config/crd/platform.navin.ai_managedcomponents.yaml');
  expect(readManifest(readFileSync(file, 'utf8'))).toEqual([componentCrd()]);
});
