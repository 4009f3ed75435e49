/** A component of the stories. */
export interface Member {
  readonly name: string;
  /** In which of the namespaces. */
  readonly place: 0 | 1;
  readonly chart: 'web' | 'store' | 'shop';
  /** The workload that replicas are meant for. */
  readonly target: { readonly kind: 'Deployment' | 'StatefulSet'; readonly name: string };
}

/** Two of one chart, one with storage, and one with a subchart. */
export const MEMBERS: readonly Member[] = [
  { name: 'web', place: 0, chart: 'web', target: { kind: 'Deployment', name: 'web' } },
  { name: 'store', place: 0, chart: 'store', target: { kind: 'StatefulSet', name: 'store' } },
  { name: 'shop', place: 1, chart: 'shop', target: { kind: 'Deployment', name: 'shop' } },
  { name: 'blog', place: 1, chart: 'web', target: { kind: 'Deployment', name: 'blog' } },
];

/** Why a spec cannot be carried out. */
export type Flaw = 'inline-secret' | 'other-version' | 'no-such-chart' | 'missing-secret';

/** What stands in the status for each of them. */
export const FLAWS: Readonly<Record<Flaw, { readonly state: 'failed' | 'blocked'; readonly reason: string }>> = {
  'inline-secret': { state: 'failed', reason: 'InlineSecret' },
  'other-version': { state: 'failed', reason: 'VersionMismatch' },
  'no-such-chart': { state: 'failed', reason: 'RenderFailed' },
  'missing-secret': { state: 'blocked', reason: 'SecretMissing' },
};

/** How many replicas: so many, or as many as an autoscaler sets between two bounds. */
export type Scale = number | { readonly least: number; readonly most: number };

/** What somebody wants of a component. */
export interface Wish {
  readonly scale: Scale;
  readonly pdb: { readonly minAvailable?: number | string; readonly maxUnavailable?: number | string } | undefined;
  readonly isStopped: boolean;
  readonly isMaintenance: boolean;
  /** What its Pods run: another one is another pod template. */
  readonly look: number;
  /** The time of the restart, as a number. */
  readonly restart: number;
  readonly flaw: Flaw | undefined;
}

export const FIRST_WISH: Wish = {
  scale: 3,
  pdb: { minAvailable: 1 },
  isStopped: false,
  isMaintenance: false,
  look: 0,
  restart: 0,
  flaw: undefined,
};

/** The Secret that stands in the namespaces, and what nobody may ever see of it. */
export const SECRET = { name: 'web-key', key: 'key', content: 'needle-4c1f0b77aa' } as const;
/** A secret that somebody gives as a value. */
export const INLINE_SECRET = 'needle-93d2e6015b';

const LOOKS = ['1.29-alpine', '1.28-alpine', '1.27-alpine'] as const;

/** The restart of a number, as a spec says it. */
export function restartTime(restart: number): string | undefined {
  return restart === 0 ? undefined : new Date(Date.UTC(2026, 0, 1) + restart * 1000).toISOString();
}

/** The spec of a wish. */
export function specOf({ chart, target }: Member, wish: Wish): object {
  const { scale, pdb, isStopped, isMaintenance, look, restart, flaw } = wish;
  const restartRequestedAt = restartTime(restart);
  const image = `nginxinc/nginx-unprivileged:${LOOKS[look % LOOKS.length] ?? LOOKS[0]}`;
  const refs = [
    ...(chart === 'web' ? [{ secretName: SECRET.name, key: SECRET.key, valuePath: 'existingSecret' }] : []),
    ...(flaw === 'missing-secret' ? [{ secretName: 'nobody-made-it', key: 'key', valuePath: 'other.secret' }] : []),
  ];
  return {
    source: { chart: { path: flaw === 'no-such-chart' ? 'nobody-made-it' : chart } },
    ...(flaw === 'other-version' ? { version: '9.9.9' } : {}),
    values: { image, ...(flaw === 'inline-secret' ? { settings: { password: INLINE_SECRET } } : {}) },
    ...(refs.length > 0 ? { secretRefs: refs } : {}),
    scaleTarget: target,
    ...(typeof scale === 'number'
      ? { replicas: scale }
      : { autoscaling: { minReplicas: scale.least, maxReplicas: scale.most } }),
    ...(pdb === undefined ? {} : { pdb }),
    ...(isStopped ? { desiredState: 'Stopped' } : {}),
    ...(isMaintenance ? { maintenance: true } : {}),
    ...(restartRequestedAt === undefined ? {} : { restartRequestedAt }),
  };
}
