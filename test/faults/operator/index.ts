/** The fault proof of the operator: a seeded story on the real API server, and what became of it. */
export {
  describeOperatorSeed,
  OPERATOR_PROOF_CLUSTER,
  operatorLine,
  proveOperator,
  type OperatorProofResult,
} from './proof';
