#!/usr/bin/env node
// `npm run simulate`, `npm run crash`, `npm run fuzz`: runs one campaign and ends with its one line of JSON.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const [name, ...words] = process.argv.slice(2);
const CRASHES = new Map([
  ['credits', 'test/simulation/credits/credits.ts'],
  ['readers', 'test/simulation/readers/crash-readers.ts'],
  ['disk', 'test/simulation/disk.ts'],
]);
const RUNNERS = new Map([
  ['simulate', 'test/simulation/simulate.ts'],
  ['crash', CRASHES.get(words[0]) ?? 'test/simulation/crash.ts'],
  ['fuzz', 'test/fuzz/fuzz.ts'],
]);
const path = RUNNERS.get(name);
if (path === undefined) {
  console.error(`usage: node bin/campaign.mjs ${[...RUNNERS.keys()].join('|')} [options]`);
  process.exit(2);
}
ensureInstalled({ development: true });
// The service that is killed or fuzzed runs compiled, as a user starts it.
build();
const runner = fileURLToPath(new URL(`../${path}`, import.meta.url));
const result = spawnSync(process.execPath, ['--import', 'tsx', runner, ...words], { stdio: 'inherit' });
process.exit(result.status ?? 1);
