import type { KubeObject } from '../../kube';
import { Informer, type InformerOptions } from '../informer';
import type { ScopeFault } from '../reflector';
import { objectKey } from '../store';
import { FakeClock } from './fakeClock';
import { ModelServer } from './modelServer';

/** An informer of a model server, and somebody who believes what the informer tells. */
export class Informed {
  readonly clock = new FakeClock();
  readonly server = new ModelServer(this.clock);
  readonly informer: Informer;
  /** The cluster as it was told. */
  readonly told = new Map<string, KubeObject>();
  readonly changes: string[] = [];
  readonly faults: ScopeFault[] = [];
  /** What was told and cannot be. */
  readonly wrong: string[] = [];
  readonly handlerErrors: unknown[] = [];

  constructor(options: Partial<InformerOptions> = {}) {
    this.informer = new Informer({
      source: this.server,
      scopes: [''],
      clock: this.clock,
      random: () => 0,
      onChange: (before, after) => {
        this.hear(before, after);
      },
      onFault: (fault) => this.faults.push(fault),
      onHandlerError: (error) => this.handlerErrors.push(error),
      ...options,
    });
  }

  private hear(before: KubeObject | undefined, after: KubeObject | undefined): void {
    const object = after ?? before;
    const key = object ? objectKey(object) : '';
    if (this.told.get(key) !== before) this.wrong.push(`${key}: not what was told before`);
    if (before && before.metadata.resourceVersion === after?.metadata.resourceVersion)
      this.wrong.push(`${key}: no change`);
    if (before && after && before.metadata.uid !== after.metadata.uid) this.wrong.push(`${key}: another object`);
    if (before && after && !this.server.restored && version(after) < version(before))
      this.wrong.push(`${key}: backwards`);
    const uid = before?.metadata.uid ?? '';
    if (before && !after && !this.server.gone.has(uid)) this.wrong.push(`${key}: ${uid} is not gone`);
    if (after) this.told.set(key, after);
    else this.told.delete(key);
    this.changes.push(`${before ? (after ? 'changed' : 'gone') : 'new'} ${key} ${object?.metadata.uid ?? ''}`);
  }
}

function version(object: KubeObject): number {
  return Number(object.metadata.resourceVersion);
}
