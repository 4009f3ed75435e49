// Answers as much of n8n's REST API as its start needs, and has a child of its own as n8n has its task runner. With
// NAVIN_FAKE=broken it says why and ends.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

if (process.env.NAVIN_FAKE === 'broken') {
  console.error('Error: the database is locked');
  process.exit(3);
}
const runner = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
writeFileSync('runner.pid', String(runner.pid));
writeFileSync('environment.json', JSON.stringify(process.env));

createServer((request, response) => {
  const setUp = request.method === 'POST' && request.url === '/rest/owner/setup';
  if (setUp) response.setHeader('set-cookie', 'n8n-auth=cookie-of-the-owner; Path=/; HttpOnly');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ data: { cookie: request.headers.cookie ?? '', url: request.url } }));
}).listen(Number(process.env.N8N_PORT), process.env.N8N_LISTEN_ADDRESS);
