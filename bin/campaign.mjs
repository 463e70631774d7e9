#!/usr/bin/env node
// `npm run simulate` and `npm run crash`: runs one campaign of test/simulation and ends with its one line of JSON.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const [name, ...words] = process.argv.slice(2);
if (name !== 'simulate' && name !== 'crash') {
  console.error('usage: node bin/campaign.mjs simulate|crash [options]');
  process.exit(2);
}
ensureInstalled({ development: true });
// The service that is killed runs compiled, as a user starts it.
build();
const runner = fileURLToPath(new URL(`../test/simulation/${name}.ts`, import.meta.url));
const result = spawnSync(process.execPath, ['--import', 'tsx', runner, ...words], { stdio: 'inherit' });
process.exit(result.status ?? 1);
