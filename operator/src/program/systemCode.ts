/** The code of an error of the operating system, such as ENOENT: what may be shown of it. */
export function systemCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,32}$/.test(code) ? code : 'unknown fault';
}
