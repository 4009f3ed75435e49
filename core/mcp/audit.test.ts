import { expect, it } from '@jest/globals';
import { auditLine } from './audit';

it('a refusal is audited in one line with the reason, the object and nobody', () => {
  const ref = { namespace: 'mcp-0123456789ab', name: 'fetch', owner: 'alice' };
  expect(auditLine('mcp_runtime.instance.destroy', 'instance_label', ref)).toBe(
    'mcp_runtime.instance.destroy outcome=denied reason=instance_label namespace=mcp-0123456789ab name=fetch',
  );
  expect(auditLine('mcp_runtime.instance.restart', undefined, ref)).toBe(
    'mcp_runtime.instance.restart outcome=done namespace=mcp-0123456789ab name=fetch',
  );
});

it('no name can write a line of its own', () => {
  const line = auditLine('mcp_runtime.instance.destroy', 'missing', {
    namespace: 'a\nforged',
    name: 'x'.repeat(300),
  });
  expect(line).toBe('mcp_runtime.instance.destroy outcome=denied reason=missing namespace=(no name) name=(no name)');
});
