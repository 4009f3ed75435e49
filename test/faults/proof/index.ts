/** The fault proof of the trigger: seeded stories on the real API server, and what was handed over held against them. */
export { PROOF_CLUSTER, prove, summaryLine, type ProofResult } from './proof';
export { describeSeed } from './story';
