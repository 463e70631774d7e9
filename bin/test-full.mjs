#!/usr/bin/env node
// `npm run test:full`: the tests that `npm test` leaves out (`*.long.test.ts`), and those that it runs in a short form
// (`test/support/extent.ts`), at their full extent.
//   --short   the form of CI: a thirtieth of these files, drawn by a seed that is printed (`MINTSCOPE_TEST_SEED` draws the same again)
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawFiles, seedOfRun } from './draw-files.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHORT_PART = 30;
const IMPORT = /from '[./]+(?:test\/)?support\/extent\.ts'/;

ensureInstalled({ development: true });
const words = process.argv.slice(2);
const isShort = words.includes('--short');
const seed = seedOfRun();
const all = ['src', 'test'].flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true })
    .map((path) => `${folder}/${path}`)
    .filter(
      (path) =>
        path.endsWith('.long.test.ts') ||
        (path.endsWith('.test.ts') && IMPORT.test(readFileSync(`${ROOT}/${path}`, 'utf8'))),
    ),
);
// Minutes long, and CI runs the campaign itself.
const isDrawn = (path) => !path.endsWith('/campaign.long.test.ts');
const files = isShort ? drawFiles(all.filter(isDrawn), Math.ceil(all.length / SHORT_PART), seed) : all;
console.log(`at full extent: ${files.length} of ${all.length} files, MINTSCOPE_TEST_SEED=${seed}`);
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${ROOT}`));
const result = spawnSync(process.execPath, [vitest, 'run', ...files, ...words.filter((word) => word !== '--short')], {
  cwd: ROOT,
  env: { ...process.env, MINTSCOPE_TEST_EXTENT: 'full', MINTSCOPE_TEST_SEED: seed },
  stdio: 'inherit',
});
process.exit(result.status ?? 1);
