import { expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { visible } from './visible';

it('holds no pod template, no data and no fields of others', () => {
  const own = { manager: 'navin-operator', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:template': {} } } };
  const scaler = {
    manager: 'kubectl',
    operation: 'Update',
    fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } },
  };
  const other = { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:data': {} } };
  const deployment: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      uid: 'u',
      annotations: { 'platform.navin.ai/template': 'abc', note: 'long' },
      labels: { app: 'web', 'platform.navin.ai/component': 'shop' },
      managedFields: [own, scaler, other],
    },
    spec: { replicas: 2, selector: {}, template: { metadata: { annotations: { a: 'b' } }, spec: { containers: [] } } },
    status: { replicas: 2, conditions: [{ type: 'Progressing', status: 'True', reason: 'X', message: 'long' }] },
  };
  expect(visible(deployment)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      uid: 'u',
      annotations: { 'platform.navin.ai/template': 'abc' },
      labels: { 'platform.navin.ai/component': 'shop' },
      managedFields: [own, { ...scaler, fieldsV1: { 'f:spec': { 'f:replicas': {} } } }],
    },
    spec: { replicas: 2, template: { metadata: { annotations: {} } } },
    status: { replicas: 2, conditions: [{ type: 'Progressing', status: 'True', reason: 'X' }] },
  });
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } };
  expect(visible(config)).toEqual({ ...config, metadata: { name: 'c', annotations: {}, labels: {} }, data: undefined });
});
