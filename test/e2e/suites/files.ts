import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chain, type WorkflowNode } from '../n8n';
import { byName, kubernetes, SHOP, type World } from '../world';

/** A namespace with ConfigMaps enough for several pages. */
const SHELVES = 'shelves';

/** What goes into containers and comes out of them, as files of n8n and as text. */
export function files(world: () => World): void {
  const pod = { resource: 'pod', namespace: byName(SHOP) };
  let folder: string;
  let name: string;

  describe('a file of a workflow', () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'navin-files-'));
      const { cluster } = world();
      const pods = `/api/v1/namespaces/${SHOP}/pods?labelSelector=app.kubernetes.io/name=web`;
      name = (await cluster.api.items(pods))[0]?.metadata.name ?? '';
      await cluster.namespace(SHELVES);
      const maps = Array.from({ length: 25 }, (_, index) => ({ metadata: { name: `shelf-${String(index + 10)}` } }));
      await Promise.all(maps.map(async (map) => cluster.api.create(`/api/v1/namespaces/${SHELVES}/configmaps`, map)));
    });
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    it('goes into a container and comes out of it as it was', async () => {
      const path = join(folder, 'prices.csv');
      const text = 'article,price\ntea,2.50 €\n';
      const execution = await world().n8n.runOnce(
        chain('a file in and out', [
          setFields({ text }),
          { name: 'To File', type: 'n8n-nodes-base.convertToFile', typeVersion: 1.1, parameters: TO_FILE },
          kubernetes(world(), { ...pod, operation: 'uploadFile', name: byName(name), path }, { name: 'Upload' }),
          kubernetes(world(), { ...pod, operation: 'downloadFile', name: byName(name), path }, { name: 'Download' }),
          { name: 'Read', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1, parameters: { operation: 'text' } },
        ]),
      );

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(execution.items('Upload')[0]?.json).toMatchObject({ pod: name, path, bytes: 27, mode: '0644' });
      expect(execution.items('Download')[0]?.binary?.data).toMatchObject({
        fileName: 'prices.csv',
        mimeType: 'text/csv',
      });
      expect(execution.items('Read')[0]?.json).toEqual({ data: text });
    });

    it('is a page of a list, which another node reads', async () => {
      const execution = await world().n8n.runOnce(
        chain('pages as files', [
          kubernetes(world(), {
            resource: 'any',
            operation: 'getAll',
            kind: byName('configmaps'),
            namespace: byName(SHELVES),
            returnAll: true,
            options: { onePerPage: true, pageSize: 10, fieldSelector: 'metadata.name!=kube-root-ca.crt' },
          }),
          {
            name: 'Read',
            type: 'n8n-nodes-base.extractFromFile',
            typeVersion: 1,
            parameters: { operation: 'fromJson', destinationKey: 'objects' },
          },
        ]),
      );

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      const pages = execution.items('Kubernetes').map(({ json }) => [json.page, json.count, json.first]);
      expect(pages).toEqual([
        [1, 10, 'shelf-10'],
        [2, 10, 'shelf-20'],
        [3, 5, 'shelf-30'],
      ]);
      const objects = execution.items('Read').flatMap(({ json }) => json.objects as readonly object[]);
      expect(objects).toHaveLength(25);
      expect(objects[24]).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'shelf-34', namespace: SHELVES } });
    });

    it('is not needed for a command that reads a text and ends by itself', async () => {
      const command = { run: 'program', command: ['sh', '-c', 'head -c 5 | tr a-z A-Z; echo done >&2'] };
      const execution = await world().n8n.runOnce(
        chain('a command with input', [
          setFields({ text: 'hello, world' }),
          kubernetes(world(), {
            ...pod,
            ...command,
            operation: 'execute',
            name: byName(name),
            options: { stdin: '={{ $json.text }}' },
          }),
        ]),
      );

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(execution.items('Kubernetes')[0]?.json).toMatchObject({ exitCode: 0, stdout: 'HELLO', stderr: 'done\n' });
    });
  });
}

const TO_FILE = { operation: 'toText', sourceProperty: 'text', binaryPropertyName: 'data', options: {} };

function setFields(values: object): WorkflowNode {
  const parameters = { mode: 'raw', jsonOutput: JSON.stringify(values), options: {} };
  return { name: 'Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}
