import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateFile, makePrivateFolder, writePrivateFile } from './private-files.ts';

describe('what is made private', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-private-'));
  });
  afterEach(() => rm(dir, { recursive: true }));
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  it('is its owner’s alone when it is new', async () => {
    await makePrivateFile(join(dir, 'file'));
    await makePrivateFolder(join(dir, 'a', 'b'));
    expect(await modeOf(join(dir, 'file'))).toBe(0o600);
    expect([await modeOf(join(dir, 'a')), await modeOf(join(dir, 'a', 'b'))]).toEqual([0o700, 0o700]);
  });

  it('becomes its owner’s alone and keeps what it holds', async () => {
    await writeFile(join(dir, 'file'), 'held');
    await mkdir(join(dir, 'above', 'folder'), { recursive: true });
    for (const path of ['file', 'above', 'above/folder']) await chmod(join(dir, path), 0o777);
    await makePrivateFile(join(dir, 'file'));
    await makePrivateFolder(join(dir, 'above', 'folder'));
    expect(await modeOf(join(dir, 'file'))).toBe(0o600);
    expect(await readFile(join(dir, 'file'), 'utf8')).toBe('held');
    expect([await modeOf(join(dir, 'above')), await modeOf(join(dir, 'above', 'folder'))]).toEqual([0o777, 0o700]);
  });

  it('is written for its owner alone in the place of a file that others may read, or have open', async () => {
    const file = join(dir, 'file');
    await writeFile(file, 'before');
    await chmod(file, 0o644);
    const reader = await open(file);
    await writePrivateFile(file, 'secret');
    expect([await modeOf(file), await readFile(file, 'utf8'), await readdir(dir)]).toEqual([0o600, 'secret', ['file']]);
    expect(await reader.readFile('utf8')).toBe('before');
    await reader.close();
  });

  it('leaves nothing behind where it could not be written', async () => {
    await mkdir(join(dir, 'folder', 'full'), { recursive: true });
    await expect(writePrivateFile(join(dir, 'folder'), 'secret')).rejects.toThrow();
    expect(await readdir(dir)).toEqual(['folder']);
  });

  it('keeps the locks that this process has on it', async () => {
    const file = join(dir, 'lock');
    const database = new Database(file);
    database.exec('BEGIN IMMEDIATE');
    await makePrivateFile(file);
    const script = `const d = new (require('libsql'))(process.argv[1]); try { d.exec('BEGIN IMMEDIATE'); console.log('got it') } catch (e) { console.log(e.code) }`;
    expect(execFileSync(process.execPath, ['-e', script, file], { encoding: 'utf8' }).trim()).toBe('SQLITE_BUSY');
    database.close();
  });
});
