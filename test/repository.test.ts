import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 300;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('the sources', () => {
  it('have no file that is longer than is read at one go', () => {
    const files = ['src', 'bench', 'test', 'tools', 'bin'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((name) => /\.(ts|mjs|sql)$/.test(name)),
    );
    expect(files.length).toBeGreaterThan(1_000);
    const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
    expect(files.filter((file) => lines(file) > MAX_LINES)).toEqual([]);
  });
});

describe('what is not part of the repository', () => {
  it('takes in packages that are a link to those of another copy', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-ignored-'));
    folders.push(folder);
    copyFileSync(join(ROOT, '.gitignore'), join(folder, '.gitignore'));
    symlinkSync(tmpdir(), join(folder, 'node_modules'));
    const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    expect(git('init', '-q').status).toBe(0);
    expect(git('status', '--porcelain').stdout).toBe('?? .gitignore\n');
  });
});
