#!/usr/bin/env node
// Compiles src/ to dist/ and puts SQL and data files beside the compiled code. Does nothing when dist/ is up to date.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const output = join(root, 'dist');
const STAMP = '.built';
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

export function build() {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const inputs = [...files, ...CONFIGURATION.map((name) => join(root, name))];
  const stamp = join(output, STAMP);
  if (existsSync(stamp)) {
    const built = statSync(stamp).mtimeMs;
    if (inputs.every((file) => statSync(file).mtimeMs <= built)) return;
  }
  const begun = new Date();
  // Beside dist/, so that two that build at once do not meet, and a service that runs loses its files for a moment only.
  const fresh = mkdtempSync(`${output}-`);
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', fresh], {
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true });
    console.error('mintscope: the build failed; see above.');
    process.exit(1);
  }
  for (const file of files) {
    if (extname(file) === '.ts') continue;
    const target = join(fresh, relative(source, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
  // Files that change while the compiler reads are newer than the stamp.
  writeFileSync(join(fresh, STAMP), '');
  utimesSync(join(fresh, STAMP), begun, begun);
  replaceOutput(fresh);
}

/** Puts the fresh build in place of the one before. */
function replaceOutput(fresh) {
  const old = `${fresh}-old`;
  try {
    if (existsSync(output)) renameSync(output, old);
    renameSync(fresh, output);
  } catch (error) {
    // Somebody else's build, of the same sources, came first.
    if (!existsSync(join(output, STAMP))) throw error;
  }
  for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
