#!/usr/bin/env node
// `npm run properties`: every property test with thirty times its histories, from a seed that is printed first.
//   --times 100   so many times instead
//   --short       the form of CI: three times, of eight files that the seed draws out of those that start no engine
// Anything else goes to vitest: files, `-t` and a name. `MINTSCOPE_TEST_SEED=…` draws the same again.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawFiles, seedOfRun } from './draw-files.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TIMES = 30;
const SHORT_TIMES = 3;
const SHORT_FILES = 8;
/** Imports that make a file slow: a store, a database, a service, or kills. */
const ENGINE =
  /support\/(store|accounts-engines|api-app|account-world|credit-world|simulated-history)\.ts|\.long\.test\.ts/;

ensureInstalled({ development: true });
const words = process.argv.slice(2);
const isShort = take('--short', 1) !== undefined;
const times = Number(take('--times', 2) ?? (isShort ? SHORT_TIMES : TIMES));
if (!(Number.isInteger(times) && times > 0)) {
  console.error('usage: npm run properties -- [--short] [--times <whole number>] [what vitest takes]');
  process.exit(2);
}
const seed = seedOfRun();
const named = words.filter((word, place) => !word.startsWith('-') && words[place - 1] !== '-t');
const all = findPropertyFiles();
const files = named.length > 0 ? [] : isShort ? drawFiles(all.filter(startsNoEngine), SHORT_FILES, seed) : all;
console.log(`properties: ${times} times their histories, MINTSCOPE_TEST_SEED=${seed}`);
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${ROOT}`));
const result = spawnSync(process.execPath, [vitest, 'run', ...files, ...words], {
  cwd: ROOT,
  env: { ...process.env, MINTSCOPE_TEST_SEED: seed, MINTSCOPE_TEST_HISTORIES: String(times) },
  stdio: 'inherit',
});
process.exit(result.status ?? 1);

/** The last of so many words that begin with this one, which are no longer among the words then. */
function take(name, length) {
  const at = words.indexOf(name);
  return at < 0 ? undefined : (words.splice(at, length).at(length - 1) ?? '');
}

function findPropertyFiles() {
  return ['src', 'test', 'bench', 'tools'].flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true })
      .map((path) => `${folder}/${path}`)
      .filter((path) => path.endsWith('.test.ts') && read(path).includes('fc.assert(')),
  );
}

function startsNoEngine(path) {
  return !ENGINE.test(path) && !ENGINE.test(read(path));
}

function read(path) {
  return readFileSync(`${ROOT}/${path}`, 'utf8');
}
