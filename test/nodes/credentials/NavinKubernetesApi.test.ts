import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NavinKubernetesApi } from '../../../credentials/NavinKubernetesApi.credentials';
import { CREDENTIAL_TYPE } from '../../../nodes/shared/credential';
import { RIGHTS_GROUPS } from '../../../nodes/shared/rights';

const credential = new NavinKubernetesApi();
const field = (name: string) => credential.properties.find((property) => property.name === name);

describe('the credential Kubernetes API', () => {
  it('has the global name the nodes ask for and is kept to them', () => {
    expect(credential.name).toBe(CREDENTIAL_TYPE);
    expect(credential.restrictToSupportedNodes).toBe(true);
    expect(credential).not.toHaveProperty('authenticate');
    // A test on the class would win over the nodes' own.
    expect(credential).not.toHaveProperty('test');
  });

  it.each(['kubeconfig', 'token'])('masks %s and lets it be an expression of external secrets', (name) => {
    expect(field(name)?.typeOptions?.password).toBe(true);
    expect(field(name)).not.toHaveProperty('noDataExpression');
  });

  it('keeps the lines of a kubeconfig', () => {
    expect(field('kubeconfig')?.typeOptions?.rows).toBeGreaterThan(1);
  });

  it('shows the fields of the chosen way to authenticate', () => {
    expect(field('kubeconfig')?.displayOptions).toEqual({ show: { authentication: ['kubeconfig'] } });
    for (const name of ['token', 'ca']) {
      expect(field(name)?.displayOptions).toEqual({ show: { authentication: ['token'] } });
    }
    for (const name of ['apiServer', 'namespace', 'rightsToCheck', 'allowPublicCa']) {
      expect(field(name)).toBeDefined();
      expect(field(name)?.displayOptions).toBeUndefined();
    }
  });

  it('checks all groups there are, read by default', () => {
    expect(field('rightsToCheck')?.default).toEqual(['read']);
    const groups = Object.entries(RIGHTS_GROUPS)
      .map(([value, { title, description }]) => ({ name: title, value, description }))
      .sort((left, right) => left.name.localeCompare(right.name));
    expect(field('rightsToCheck')?.options).toEqual(groups);
  });

  it('has icons for light and dark', () => {
    const { icon } = credential;
    for (const file of Object.values(icon as Record<string, string>)) {
      expect(existsSync(join(__dirname, '../../../credentials', file.replace('file:', '')))).toBe(true);
    }
  });
});
