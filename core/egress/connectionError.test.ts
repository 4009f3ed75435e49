import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { classifyAddress } from './classify';
import { connectionError, isDnsFailure } from './connectionError';
import { neverAllowed } from './errors';

const AT = { host: 'api.example.com', port: 6443 };
const withCode = (code: string, more: object = {}, message = 'raw output of the server'): Error =>
  Object.assign(new Error(message), { code, ...more });

describe('the error of a connection', () => {
  it.each([
    ['ENOTFOUND', 'k8s_dns_failed', 'dns'],
    ['EAI_AGAIN', 'k8s_dns_failed', 'dns'],
    ['EAI_FAIL', 'k8s_dns_failed', 'dns'],
    ['ECONNREFUSED', 'k8s_unreachable', 'refused'],
    ['EHOSTUNREACH', 'k8s_unreachable', 'no-route'],
    ['ENETUNREACH', 'k8s_unreachable', 'no-route'],
    ['EACCES', 'k8s_unreachable', 'no-route'],
    ['ECONNRESET', 'k8s_unreachable', 'reset'],
    ['EPIPE', 'k8s_unreachable', 'reset'],
    ['ETIMEDOUT', 'k8s_timeout', 'connect'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'k8s_tls_untrusted', 'not-trusted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'k8s_tls_untrusted', 'not-trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'k8s_tls_untrusted', 'not-trusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'k8s_tls_untrusted', 'not-trusted'],
    ['CERT_HAS_EXPIRED', 'k8s_tls_untrusted', 'expired'],
    ['CERT_NOT_YET_VALID', 'k8s_tls_untrusted', 'not-yet-valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'k8s_tls_untrusted', 'name-mismatch'],
    ['INVALID_PURPOSE', 'k8s_tls_untrusted', 'unusable'],
    ['CERT_REVOKED', 'k8s_tls_untrusted', 'unusable'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'k8s_not_kubernetes', 'no-tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'k8s_unreachable', 'tls-handshake'],
    ['EPROTO', 'k8s_unreachable', 'tls-handshake'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'k8s_unauthorized', 'client-certificate'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'k8s_unauthorized', 'client-certificate'],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'k8s_unreachable', 'tls-handshake'],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'k8s_unauthorized', 'client-certificate'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'k8s_unauthorized', 'client-certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'k8s_unauthorized', 'client-certificate'],
  ])('%s is %s (%s)', (code, expected, reason) => {
    const cause = withCode(code);
    const error = connectionError(cause, AT);
    expect(error).toMatchObject({ code: expected, cause, details: { reason, ...AT } });
    expect(error?.message).toMatch(/^The API server api\.example\.com:6443 /);
    expect(`${String(error?.message)} ${String(error?.hint)}`).not.toContain('raw output');
  });

  it('of the queries of a resolver is DNS, whatever its code', () => {
    for (const [code, syscall] of [
      ['ECONNREFUSED', 'queryA'],
      ['ETIMEOUT', 'queryAaaa'],
      ['ESERVFAIL', 'queryA'],
      ['EMFILE', 'getaddrinfo'],
    ] as const) {
      expect(isDnsFailure(withCode(code, { syscall }))).toBe(true);
      expect(connectionError(withCode(code, { syscall }), AT)?.code).toBe('k8s_dns_failed');
    }
    expect(isDnsFailure(withCode('ECONNREFUSED', { syscall: 'connect' }))).toBe(false);
  });

  it('of TLS is found in the message where the code does not say it', () => {
    const openssl = (reason: string): Error =>
      withCode('EPROTO', {}, `write EPROTO 406D:error:0A00010B:SSL routines:function:${reason}:file.c:77:\n`);
    expect(connectionError(openssl('wrong version number'), AT)?.code).toBe('k8s_not_kubernetes');
    expect(connectionError(openssl('ssl/tls alert bad certificate'), AT)?.code).toBe('k8s_unauthorized');
    expect(connectionError(openssl('ssl/tls alert handshake failure'), AT)?.code).toBe('k8s_unreachable');
  });

  it('of axios is told apart: its timeout, and a connection that broke', () => {
    expect(connectionError(withCode('ECONNABORTED', {}, 'timeout of 30000ms exceeded'), AT)?.code).toBe('k8s_timeout');
    expect(connectionError(withCode('ECONNABORTED', {}, 'Request aborted'), AT)?.code).toBe('k8s_unreachable');
  });

  it('is handed on as it is when it is ours, however deep it is wrapped', () => {
    const refusal = neverAllowed(AT, classifyAddress('127.0.0.1'));
    expect(connectionError(refusal, AT)).toBe(refusal);
    const axiosError = Object.assign(new Error('Error'), { code: 'ERR_BAD_REQUEST', cause: refusal });
    expect(connectionError(axiosError, AT)).toBe(refusal);
    expect(connectionError(new AggregateError([withCode('ECONNREFUSED'), refusal]), AT)).toBe(refusal);
    expect(connectionError(new Error('1', { cause: new Error('2', { cause: axiosError }) }), AT)).toBe(refusal);
  });

  it('of several addresses is found inside', () => {
    const all = Object.assign(new AggregateError([withCode('ENETUNREACH'), withCode('ECONNREFUSED')]), {});
    expect(connectionError(all, AT)?.details.reason).toBe('no-route');
    expect(connectionError(new Error('wrapped', { cause: all }), AT)?.code).toBe('k8s_unreachable');
  });

  it('is undefined when it is about something else', () => {
    const loop = new Error('loop');
    loop.cause = loop;
    const wide = new AggregateError(Array.from({ length: 1000 }, () => new Error('x')));
    for (const error of [new Error('x'), withCode('ERR_CANCELED'), loop, wide, 'ECONNREFUSED', null, undefined, 7]) {
      expect(connectionError(error, AT)).toBeUndefined();
    }
  });

  it('shows IPv6 in brackets and no host that is none', () => {
    const error = withCode('ECONNREFUSED');
    expect(connectionError(error, { host: 'fd12::1', port: 1 })?.message).toContain('server [fd12::1]:1 refuses');
    expect(connectionError(error, { host: 'x\ny', port: 1 })?.message).toContain('server (not a host):1 refuses');
    expect(connectionError(error, AT)).toBeInstanceOf(NavinError);
  });
});
