#!/usr/bin/env node
// Compiles src/ to dist/ and puts SQL and data files beside the compiled code. Does nothing when dist/ is up to date.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const output = join(root, 'dist');
const stamp = join(output, '.built');
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

export function build() {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const inputs = [...files, ...CONFIGURATION.map((name) => join(root, name))];
  if (existsSync(stamp)) {
    const built = statSync(stamp).mtimeMs;
    if (inputs.every((file) => statSync(file).mtimeMs <= built)) return;
  }
  rmSync(output, { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) {
    console.error('mintscope: the build failed; see above.');
    process.exit(1);
  }
  for (const file of files) {
    if (extname(file) === '.ts') continue;
    const target = join(output, relative(source, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
  writeFileSync(stamp, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
