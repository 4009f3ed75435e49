import { type ClusterTarget, withRotatingToken } from '../../core/kubeconfig';

/** A target, and what looks for a newer token of it. */
export interface Renewable {
  readonly target: ClusterTarget;
  readonly renewToken?: () => Promise<void>;
}

/**
 * Tokens of clouds live for an hour and operations that wait live longer. So a token that is not accepted any more is
 * looked for in the credential, where somebody or a secret store may have exchanged it.
 * @param readAgain the target as the credential is now; another cluster than before is not gone over to
 */
export function renewable(target: ClusterTarget, readAgain: () => Promise<ClusterTarget>): Renewable {
  const { identity, server, ca } = target;
  if (identity.type !== 'token') return { target };
  let { token } = identity;
  const renewToken = async (): Promise<void> => {
    // What keeps it from being read is not what the operation failed at.
    const now = await readAgain().catch(() => undefined);
    if (now?.server === server && now.ca === ca && now.identity.type === 'token') token = now.identity.token;
  };
  return { target: withRotatingToken(target, { read: () => token, onFault: () => undefined }), renewToken };
}
