import { describe, expect, it } from '@jest/globals';
import { tellAll } from './tell';

describe('several listeners', () => {
  it('are all told, also when one of them throws', () => {
    const heard: string[] = [];
    const faults: unknown[] = [];
    const broken = {
      onGone: () => {
        throw new Error('broken');
      },
    };
    const hears = (name: string) => ({ onGone: (component: string) => heard.push(`${name} ${component}`) });
    const all = tellAll([hears('first'), broken, {}, hears('last')], (error) => faults.push(error));
    all.onGone('shop/web');
    all.onLeading();
    expect(heard).toEqual(['first shop/web', 'last shop/web']);
    expect(faults).toEqual([new Error('broken')]);
  });
});
