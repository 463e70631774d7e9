import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommandLine, wordsOf } from '../../test/support/command-line.ts';
import { openSqlite } from '../store/accounts-db/sqlite.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Neither a database, nor a flush. */
const RUBBISH = 'x'.repeat(5_000);
/** Of somebody who owns nothing here: root may write everywhere. */
const NOBODY = 65_534;

let dir: string;
let data: string;
const run = useCommandLine();
const mintscope = (line: string): Promise<Ending> => run(...wordsOf(line));

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-start-'));
  data = join(dir, 'data');
  await mkdir(data);
  vi.stubEnv('MINTSCOPE_DATA_DIR', data);
  vi.stubEnv('MINTSCOPE_LOG_LEVEL', 'silent');
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** Of a process of its own a signal may have been the end. */
interface Ending {
  readonly out: string;
  readonly err: string;
  readonly code: number | string | null;
}

/** One sentence with the place and what to do about it, and nothing for programmers. */
function expectRefusal(ending: Ending, place: string, remedy: string): void {
  expect(ending).toEqual({ out: '', code: 1, err: expect.stringMatching(/^mintscope: [^\n]+\n$/) });
  expect(ending.err).toContain(place);
  expect(ending.err).toContain(remedy);
  expect(ending.err).not.toMatch(/ {4}at |Error:/);
}

const a = {
  file: (name: string) => writeFile(join(data, name), RUBBISH),
  folder: (name: string) => mkdir(join(data, name)),
};

describe('a start', () => {
  it.each([
    [
      'a folder in place of the accounts',
      'admin key list',
      a.folder,
      'accounts.db',
      'it has to be a file that this user',
    ],
    ['accounts that are no database', 'admin key list', a.file, 'accounts.db', 'put a backup in its place, or move it'],
    ['a folder in place of the lock', 'verify', a.folder, 'writer.lock', 'holds nothing to keep: remove it'],
    ['a lock that is none', 'verify', a.file, 'writer.lock', 'holds nothing to keep: remove it'],
    ['a file in place of the engine', 'verify', a.file, 'clickhouse', 'has to be a folder: move away what lies there'],
    ['a file in place of the outbox', 'verify', a.file, 'outbox', 'has to be a folder: move away what lies there'],
  ])('names %s and the remedy', async (_what, line, make, name, remedy) => {
    await make(name);
    expectRefusal(await mintscope(line), join(data, name), remedy);
  });

  it.each([
    ['verify', 'has to be a folder: move away what lies there, or set MINTSCOPE_DATA_DIR'],
    ['admin key list', 'in a folder of the same kind'],
  ])('names a file in place of the data folder, for %s', async (line, remedy) => {
    await rm(data, { recursive: true });
    await writeFile(data, RUBBISH);
    expectRefusal(await mintscope(line), data, remedy);
  });

  it.each([
    ['verify', 'this user has to be able to write there, or set MINTSCOPE_DATA_DIR'],
    ['admin key list', 'it has to be a file that this user may read and write'],
  ])('names a data folder that it may not write to, for %s', async (line, remedy) => {
    // Loads the command first: as nobody, its modules may be out of reach.
    await mintscope(`${line.split(' ')[0]} --help`);
    await chmod(dir, 0o755);
    await chmod(data, 0o555);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    const ending = await mintscope(line).finally(() => isRoot && process.seteuid?.(0));
    expectRefusal(ending, data, remedy);
    await chmod(data, 0o700);
  });

  it('names accounts that a newer version has made', async () => {
    await mintscope('admin key create --name mine');
    const file = join(data, 'accounts.db');
    const db = await openSqlite(file);
    await db
      .withTables<{ migrations: { version: number; applied_at: number } }>()
      .insertInto('migrations')
      .values({ version: 999, applied_at: 0 })
      .execute();
    await db.destroy();
    expectRefusal(await mintscope('admin key list'), file, 'start the newer one that has made it');
  });

  it('sets a damaged flush of the outbox aside, and goes on', async () => {
    await a.folder('outbox');
    await writeFile(join(data, 'outbox', '000000000001-aabbcc.flush'), RUBBISH);
    expect(await mintscope('verify')).toMatchObject({ code: 0, err: '' });
    expect(await readdir(join(data, 'outbox', 'damaged'))).toHaveLength(1);
  });
});

describe('a start of the service itself', () => {
  beforeAll(() => {
    spawnSync(process.execPath, ['bin/build.mjs'], { cwd: ROOT });
  });

  it('names a port that is taken, and the setting for another', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    const ending = await serve(process.execPath, ['bin/mintscope.mjs', 'serve'], { MINTSCOPE_PORT: String(port) });
    other.close();
    expectRefusal(ending, `127.0.0.1:${port}`, 'stop what listens there, or set MINTSCOPE_PORT');
  });

  it('names too few descriptors, and how many there have to be', async () => {
    const ending = await serve('/bin/sh', [
      '-c',
      'ulimit -n 400 && exec "$0" bin/mintscope.mjs serve',
      process.execPath,
    ]);
    expectRefusal(ending, '400 file descriptors are too few', 'ulimit -n 1024 before the start');
  });
});

/** Runs the service as it is built until it ends by itself. */
async function serve(
  program: string,
  words: readonly string[],
  settings: Record<string, string> = {},
): Promise<Ending> {
  const child = spawn(program, words, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      MINTSCOPE_DATA_DIR: data,
      MINTSCOPE_LOG_LEVEL: 'silent',
      MINTSCOPE_SOL_PRICE: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    said.out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said.err += bytes.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { ...said, code };
}
