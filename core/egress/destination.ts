/** Where a connection shall go, and for whom. */
export interface Destination {
  /** A name or an address; IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
  /** The id of the n8n credential the connection is made for: a grant may be for certain credentials only. */
  readonly credentialId?: string;
}

/** The port of https. */
const HTTPS_PORT = 443;

/** The destination of a URL of an API server. */
export function destinationOf(url: URL, credentialId?: string): Destination {
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return { host: url.hostname, port, ...(credentialId === undefined ? {} : { credentialId }) };
}
