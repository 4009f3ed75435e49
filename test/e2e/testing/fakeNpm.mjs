// Stands in for `npm ci`: counts its calls, and lays out as much of n8n as its installation touches. FAKE_NPM=fail makes
// it fail as npm does, FAKE_GYP=fail makes compiling the database driver fail.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

appendFileSync(process.env.FAKE_CALLS, `npm ${process.argv.slice(2).join(' ')}\n`);
if (process.env.FAKE_NPM === 'fail') {
  console.error('npm error code ENOTFOUND\nnpm error network the registry is not reachable');
  process.exit(1);
}
const files = {
  'n8n/package.json': '{}',
  'n8n/bin/n8n': `
    const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
    appendFileSync(process.env.FAKE_CALLS, 'n8n ' + process.argv.slice(2).join(' ') + '\\n');
    mkdirSync(process.env.N8N_USER_FOLDER + '/.n8n', { recursive: true });
    writeFileSync(process.env.N8N_USER_FOLDER + '/.n8n/database.sqlite', 'migrated');
  `,
  'sqlite3/package.json': '{ "main": "index.js" }',
  'sqlite3/index.js': 'module.exports = {};',
  'node-gyp/bin/node-gyp.js': `
    const { appendFileSync } = require('node:fs');
    appendFileSync(process.env.FAKE_CALLS, 'gyp ' + process.argv.slice(2).join(' ') + '\\n');
    if (process.env.FAKE_GYP === 'fail') { console.error('gyp ERR! stack Error: no such header'); process.exit(1); }
  `,
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(`node_modules/${name}`), { recursive: true });
  writeFileSync(`node_modules/${name}`, text);
}
