import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { findEngineLibrary } from './engine-library.ts';

/** Ends of processes and starts of servers are noticed well within this. */
const SOON_MS = 10_000;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-embedded-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function start(name: string): Promise<EmbeddedServer> {
  return startEmbeddedServer({ dir: join(dir, name), log: silentLogger, clock: systemClock });
}

interface Login {
  readonly username: string;
  readonly password: string;
}

async function ask(url: string, sql: string, login?: Login): Promise<{ ok: boolean; text: string }> {
  const headers: Record<string, string> = { connection: 'close' };
  if (login !== undefined) {
    headers.authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  }
  const answer = await fetch(url, { method: 'POST', body: sql, headers });
  return { ok: answer.ok, text: await answer.text() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** A process of its own that starts a server, tells its process number, and then runs `rest`. */
function startElsewhere(name: string, rest: string) {
  const script = `
    const { startEmbeddedServer } = await import(${JSON.stringify(new URL('./embedded-server.ts', import.meta.url).href)});
    const { systemClock } = await import(${JSON.stringify(new URL('../../../kernel/clock.ts', import.meta.url).href)});
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const server = await startEmbeddedServer({ dir: ${JSON.stringify(join(dir, name))}, log, clock: systemClock });
    process.stdout.write(String(server.pid) + '\\n');
    ${rest}`;
  return spawn(process.execPath, ['--import', LOADER, '--input-type=module', '--eval', script]);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + SOON_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not so after ${SOON_MS} ms`);
    await systemClock.sleep(20);
  }
}

describe('the embedded server', () => {
  it('is a real ClickHouse for whoever has the password, and closed to everyone else', async () => {
    const server = await start('doors');
    try {
      expect((await ask(server.url, 'SELECT version()', server)).text).toMatch(/^\d+\.\d+/);
      await ask(server.url, 'CREATE DATABASE ours', server);
      await ask(server.url, 'CREATE TABLE ours.t (a UInt8) ENGINE = MergeTree ORDER BY a', server);
      const stranger = [
        'SELECT * FROM ours.t',
        'INSERT INTO ours.t VALUES (1)',
        'CREATE TABLE x (a UInt8) ENGINE = Memory',
        'CREATE DATABASE theirs',
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
        "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
        "SELECT * FROM executable('id', 'TSV', 'a String')",
        'CREATE USER thief',
        'SELECT * FROM system.users',
        'KILL QUERY WHERE 1',
        'DROP TABLE ours.t',
        'SYSTEM STOP LISTEN HTTP',
        'SYSTEM RELOAD USERS',
        'SELECT groupArray(number) FROM numbers(100000000)',
        'SELECT number FROM numbers(1)',
      ];
      for (const sql of stranger) expect({ sql, ok: (await ask(server.url, sql)).ok }).toEqual({ sql, ok: false });
      const guess = { username: server.username, password: 'guess' };
      expect((await ask(server.url, 'SELECT 1', guess)).ok).toBe(false);
      expect((await ask(server.url, 'SELECT count() FROM ours.t', server)).text.trim()).toBe('0');
    } finally {
      await server.stop();
    }
  });

  it('keeps its secrets from other users of the machine', async () => {
    const server = await start('secrets');
    try {
      const users = join(dir, 'secrets', 'users.xml');
      expect((await stat(users)).mode & 0o077).toBe(0);
      expect(await readFile(users, 'utf8')).not.toContain(server.password);
    } finally {
      await server.stop();
    }
  });

  it('stops within two seconds and goes on with its data at the next start', async () => {
    const first = await start('restart');
    await ask(first.url, 'CREATE DATABASE ours', first);
    await ask(first.url, 'CREATE TABLE ours.t (a UInt8) ENGINE = MergeTree ORDER BY a', first);
    await ask(first.url, 'INSERT INTO ours.t VALUES (1), (2)', first);
    const startedAt = performance.now();
    await first.stop();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(isAlive(first.pid)).toBe(false);
    const second = await start('restart');
    expect((await ask(second.url, 'SELECT count() FROM ours.t', second)).text.trim()).toBe('2');
    await second.stop();
  });

  it('comes back by itself on the same port when it was killed', async () => {
    const server = await start('killed');
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    await until(() => server.pid !== pid);
    expect((await ask(server.url, 'SELECT 1', server)).text.trim()).toBe('1');
    await server.stop();
  });

  it('ends when its parent is killed, however suddenly', async () => {
    const parent = startElsewhere('orphan', 'setInterval(() => {}, 1000);');
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  it('ends with its parent even when it hangs', async () => {
    const parent = startElsewhere('hung', "process.kill(server.pid, 'SIGSTOP'); process.exit(0);");
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    await until(() => !isAlive(Number(line.toString())));
  });

  it('waits for a server that an earlier process left behind', async () => {
    const first = await start('left-behind');
    const second = start('left-behind');
    await systemClock.sleep(500);
    await first.stop();
    const server = await second;
    expect((await ask(server.url, 'SELECT 1', server)).text.trim()).toBe('1');
    await server.stop();
  });

  it('refuses a second server on the same data', async () => {
    const server = await start('twice');
    await expect(start('twice')).rejects.toMatchObject({ code: 'store_in_use' });
    await server.stop();
  });

  it('knows where it can run', () => {
    expect(findEngineLibrary()).toMatch(/libchdb\.so$/);
    expect(findEngineLibrary('win32', 'x64')).toBeUndefined();
    expect(findEngineLibrary('freebsd', 'arm64')).toBeUndefined();
  });
});
