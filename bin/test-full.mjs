#!/usr/bin/env node
// `npm run test:full`: the tests that `npm test` leaves out (`*.long.test.ts`), and those that it runs in a short form
// (`test/support/extent.ts`), at their full extent.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMPORT = /from '[./]+(?:test\/)?support\/extent\.ts'/;

ensureInstalled({ development: true });
const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true })
    .map((path) => `${folder}/${path}`)
    .filter(
      (path) =>
        path.endsWith('.long.test.ts') ||
        (path.endsWith('.test.ts') && IMPORT.test(readFileSync(`${ROOT}/${path}`, 'utf8'))),
    ),
);
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${ROOT}`));
const result = spawnSync(process.execPath, [vitest, 'run', ...files, ...process.argv.slice(2)], {
  cwd: ROOT,
  env: { ...process.env, MINTSCOPE_TEST_EXTENT: 'full' },
  stdio: 'inherit',
});
process.exit(result.status ?? 1);
