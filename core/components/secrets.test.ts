import { describe, expect, it } from '@jest/globals';
import { inlineSecrets, isInlineSecret, withoutInlineSecrets } from './secrets';

const REFUSED = [
  ...['password', 'passwd', 'pwd', 'pass', 'passphrase', 'token', 'secret', 'apiKey', 'apikey', 'api_key', 'API-KEY'],
  ...['secretKey', 'privateKey', 'clientSecret', 'connectionString', 'accessKey', 'signingKey', 'encryptionKey'],
  ...['dbPassword', 'DB_PASSWORD', 'postgres-password', 'rootPassword', 'adminPassword2', 'redisPass', 'dbpassword'],
  ...[
    'githubToken',
    'GITHUB_TOKEN',
    'authToken',
    'JWTToken',
    'csrf.token',
    'oauth2ClientSecret',
    'AWS_SECRET_ACCESS_KEY',
  ],
  ...[
    'awsSecretAccessKey',
    'AZURE_STORAGE_KEY',
    'jwtSecret',
    'cookieSecret',
    'sshKey',
    'dsn',
    'SENTRY_DSN',
    'credentials',
  ],
  ...['Authorization', 'kubeconfig', '.dockerconfigjson', 'htpasswd', 'masterKey', 'hmacKey', 'tokens', 'CLIENTSECRET'],
];
const FINE = [
  ...['existingSecret', 'secretName', 'tokenTTL', 'passwordSecretRef', 'passwordFile', 'passwordKey', 'tokenPath'],
  ...[
    'existingSecretPasswordKey',
    'existingSecretKey',
    'imagePullSecret',
    'imagePullSecrets',
    'tlsSecret',
    'secretRef',
  ],
  ...[
    'passwordPolicy',
    'tokenReviewer',
    'apiKeyHeader',
    'accessKeyId',
    'secretNamespace',
    'username',
    'compass',
    'bypass',
  ],
  ...['keyboard', 'primaryKey', 'publicKey', 'sortKey', 'key', 'tokenizer', 'externalSecret', 'secretKeyRef', 'monkey'],
];

describe('a text is a secret', () => {
  it.each(REFUSED)('under %s', (key) => {
    expect(isInlineSecret(key, 'hunter2')).toBe(true);
  });

  it.each(FINE)('but not under %s', (key) => {
    expect(isInlineSecret(key, 'hunter2')).toBe(false);
  });

  it.each(['', '  ', 'true', 'false', '$(DB_PASSWORD)', '$(USER_TOKEN)$(B)'])('but not when it is %j', (value) => {
    expect(isInlineSecret('password', value)).toBe(false);
  });

  it.each([
    'postgres://user:hunter2@db:5432/app',
    'amqp://:hunter2@queue',
    'url=https://u:p@host/x',
    'x\n-----BEGIN RSA PRIVATE KEY-----\nMII',
    '-----BEGIN PRIVATE KEY-----',
  ])('whatever its key, when it is %j', (value) => {
    expect(isInlineSecret('setting', value)).toBe(true);
  });

  it.each([
    'postgres://user@db:5432/app',
    'postgres://user:$(DB_PASSWORD)@db/app',
    'http://host:8080/a@b',
    'see https://example.org: mail me@example.org',
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----',
  ])('but not when it is %j', (value) => {
    expect(isInlineSecret('setting', value)).toBe(false);
  });
});

describe('the values of a chart', () => {
  it('are searched everywhere, and what is found is told by its place alone', () => {
    const values = {
      auth: { password: 'hunter2', existingSecret: 'database', enabled: true, tokenTTL: '1h' },
      list: [{ apiKey: 'hunter2' }, { name: 'DB_PASSWORD', value: 'hunter2' }, { name: 'LEVEL', value: 'info' }],
      adminPassword: { value: 'hunter2', secretName: 'admin' },
      tokens: ['hunter2', ''],
      secrets: [{ name: 'database' }],
      numbers: { password: 5, token: false, secret: null },
      uri: 'redis://:hunter2@cache',
    };
    const found = inlineSecrets(values, 'spec.values');
    expect(found).toEqual([
      'spec.values.auth.password',
      'spec.values.list[0].apiKey',
      'spec.values.list[1].value',
      'spec.values.adminPassword.value',
      'spec.values.tokens[0]',
      'spec.values.uri',
    ]);
  });

  it('are shown with something else in the place of each secret', () => {
    const values = { auth: { password: 'hunter2', user: 'app' }, list: [{ apiKey: 'hunter2' }, 7, null] };
    expect(withoutInlineSecrets(values, '(masked)')).toEqual({
      auth: { password: '(masked)', user: 'app' },
      list: [{ apiKey: '(masked)' }, 7, null],
    });
  });

  it('may have hostile keys', () => {
    const values = JSON.parse('{"__proto__": {"password": "hunter2"}, "a\\nb": {"token": "hunter2"}}') as unknown;
    expect(inlineSecrets(values)).toEqual(['__proto__.password', 'a?b.token']);
    const deep = Array.from({ length: 5_000 }).reduce<object>((inner) => ({ a: inner }), {});
    expect(inlineSecrets(deep)).toEqual([]);
    expect(
      inlineSecrets({ a: '=a://b:c'.repeat(30_000), ['x'.repeat(100_000)]: 'y', ['aB'.repeat(50_000)]: 'y' }),
    ).toEqual([]);
  });
});
