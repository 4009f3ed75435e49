import { NavinError } from '../errors';
import { readToken, sealed } from './identity';
import { retarget, type ClusterTarget } from './target';

/** Where the token of a target comes from while it is used. */
export interface TokenSource {
  /** The token as it is now; asked for each request, so it has to be cheap. May throw. */
  read(): string;
  /** It threw, or gave what is no token: the last good one is used on. The error holds nothing of the token. */
  onFault(error: unknown): void;
}

const PLACE = { path: 'The token' };

/**
 * The same cluster and the same owner, by a token that others replace from time to time, as kubelets do with those of
 * ServiceAccounts. Each is checked as the first was. The fingerprint stays: connections are kept over a rotation.
 */
export function withRotatingToken(target: ClusterTarget, source: TokenSource): ClusterTarget {
  if (target.identity.type !== 'token') {
    throw new NavinError('k8s_internal', 'A target without a token cannot rotate it');
  }
  let { token } = target.identity;
  const current = (): string => {
    try {
      const text = source.read();
      if (text !== token) {
        readToken(text, new Date(), PLACE);
        token = text;
      }
    } catch (error) {
      source.onFault(error);
    }
    return token;
  };
  const identity = Object.defineProperty({ type: 'token' as const, token }, 'token', { get: current });
  return retarget(target, sealed(identity));
}
