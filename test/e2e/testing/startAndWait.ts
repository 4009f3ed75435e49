/** Starts the n8n that the arguments name, prints what there is to kill, and waits to be killed itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startN8n } from '../n8n';
import type { N8nOptions } from '../n8n';

const options = JSON.parse(process.argv[2] ?? '') as N8nOptions;
void startN8n(options).then((n8n) => {
  n8n.hold(true);
  const runner = Number(readFileSync(join(n8n.folder, 'runner.pid'), 'utf8'));
  process.stdout.write(`${JSON.stringify({ pids: [...n8n.pids, runner], folder: n8n.folder })}\n`);
});
