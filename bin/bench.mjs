#!/usr/bin/env node
// `npm run bench -- <name>`: runs one benchmark and ends with its one line of JSON.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled({ development: true });
build();
const runner = fileURLToPath(new URL('../bench/run.ts', import.meta.url));
const result = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', runner, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(result.status ?? 1);
