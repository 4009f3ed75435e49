import { expect, it } from '@jest/globals';
import { describeId, idOf, idText } from './objectId';

it('names an object for programs and for people', () => {
  const id = idOf({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }, 'shop');
  expect([idText(id), describeId(id)]).toEqual([
    'apps/Deployment/shop/web',
    'Deployment.apps "web" in namespace "shop"',
  ]);
  const wide = idOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  expect([idText(wide), describeId(wide)]).toEqual(['/Namespace//shop', 'Namespace "shop"']);
});

it('shows no more of a name than one line of bounded length', () => {
  const id = { group: '', kind: 'Config\nMap', namespace: '', name: `a\n"b"${'x'.repeat(1000)}` };
  const shown = describeId(id);
  expect([shown.startsWith('Config?Map "a\\n\\"b\\"xxx'), shown.includes('\n'), shown.length < 300]).toEqual([
    true,
    false,
    true,
  ]);
});
