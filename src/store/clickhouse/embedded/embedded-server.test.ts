import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { createStoreClient } from '../client.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { findEngineLibrary } from './engine-library.ts';

/** Ends of processes and starts of servers are noticed well within this, on a machine that is ten times slower too. */
const SOON_MS = 60_000;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-embedded-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function start(name: string): Promise<EmbeddedServer> {
  return startEmbeddedServer({ dir: join(dir, name), log: silentLogger, clock: systemClock });
}

async function ask({ connection }: EmbeddedServer, sql: string): Promise<string> {
  const client = createStoreClient(connection);
  try {
    const { stream } = await client.exec({ query: sql });
    return (await text(stream)).trim();
  } finally {
    await client.close();
  }
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
  it('stops when it is told to, and goes on with its data at the next start', async () => {
    const first = await start('restart');
    await ask(first, 'CREATE DATABASE ours');
    await ask(first, 'CREATE TABLE ours.t (a UInt8) ENGINE = MergeTree ORDER BY a');
    await ask(first, 'INSERT INTO ours.t VALUES (1), (2)');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start('restart');
    expect(await ask(second, 'SELECT count() FROM ours.t')).toBe('2');
    await second.stop();
  });

  it('comes back by itself on the same port when it was killed', async () => {
    const server = await start('killed');
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    await until(() => server.pid !== pid);
    expect(await ask(server, 'SELECT 1')).toBe('1');
    await server.stop();
  });

  it('stops when it is told to in the middle of starting again', async () => {
    const server = await start('stopped');
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    await server.stop();
    // Twice is once: what was let go of may be somebody else's by now.
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect(server.lost.aborted).toBe(false);
    const next = await start('stopped');
    expect(await ask(next, 'SELECT 1')).toBe('1');
    await next.stop();
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
    expect(await ask(server, 'SELECT 1')).toBe('1');
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
