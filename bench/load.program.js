// Requires what n8n requires of the package at start (or, as the peer, @kubernetes/client-node) in a process that has
// n8n-workflow loaded, as n8n has. Prints milliseconds and growth of the resident set in MB.
const { join } = require('node:path');
const root = join(__dirname, '..');
require('n8n-workflow');

const load =
  process.argv[2] === 'package'
    ? () => {
        const { n8n } = require(join(root, 'package.json'));
        for (const file of [...n8n.nodes, ...n8n.credentials]) {
          for (const Class of Object.values(require(join(root, file)))) new Class();
        }
      }
    : () => require('@kubernetes/client-node');

global.gc();
const rssBefore = process.memoryUsage.rss();
const started = process.hrtime.bigint();
load();
const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
console.log(JSON.stringify({ milliseconds, megabytes: (process.memoryUsage.rss() - rssBefore) / 1e6 }));
