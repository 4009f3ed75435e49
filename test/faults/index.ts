/** A real TLS server that misbehaves on command, for the tests of core. */
export * from './behaviours';
export type { CertificateFault } from './certificates';
export {
  FaultServer,
  type Behaviour,
  type Exchange,
  type FaultServerOptions,
  type ReceivedRequest,
} from './faultServer';
