/** Certificates for tests: one authority in memory, right by default and wrong where a test wants it. */
export { CertificateAuthority, type AuthorityOptions, type CertificateOptions } from './authority';
export { generateKeys, type KeyKind, type KeyPair, privatePem, publicPem } from './keys';
