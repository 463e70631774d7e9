import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { extent } from '../../../../test/support/extent.ts';
import {
  hangUp,
  isShut,
  isSilence,
  STRANGER_IS_NOBODY,
  startPressing,
  startSquatter,
  tryDoors,
} from '../../../../test/support/loopback-stranger.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { createStoreClient } from '../client.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { reservePort } from './reserved-port.ts';

const HANG_UPS = extent(300, 5_000);
const KILLS = 3;
/** More than starts may fail in a row for reasons of our own. */
const ENDS = 7;

let dir: string;
/** Times that the engine ended, or did not start. */
let ends = 0;
let server: EmbeddedServer;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-doors-'));
  // As an operator may have made it, for a group of people.
  await mkdir(join(dir, 'store'), { mode: 0o755 });
  const log = {
    ...silentLogger,
    error() {
      ends += 1;
    },
  };
  server = await startEmbeddedServer({ dir: join(dir, 'store'), log, clock: systemClock });
  await ask('CREATE DATABASE ours');
  await ask('CREATE TABLE ours.t (a UInt8) ENGINE = MergeTree ORDER BY a');
});
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true, force: true, maxRetries: 10 });
});

async function ask(query: string, connection = server.connection): Promise<string> {
  const client = createStoreClient(connection);
  try {
    const { stream } = await client.exec({ query });
    return (await text(stream)).trim();
  } finally {
    await client.close();
  }
}

/** The engine may have ended itself over a stranger's connection, and be starting again. */
async function askOnceUp(query: string): Promise<string> {
  for (;;) {
    const answer = await ask(query).catch(() => undefined);
    if (answer !== undefined && isAlive(server.pid)) return answer;
    if (server.lost.aborted) throw server.lost.reason;
    await systemClock.sleep(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function portOf({ connection }: EmbeddedServer): number {
  return Number(new URL(connection.url).port);
}

/** Files below a folder, by path. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('a stranger on the same machine', () => {
  it('is answered nothing, whatever the door', async () => {
    const { http, others } = await tryDoors(portOf(server));
    const answers = Object.entries(http);
    expect(answers.length).toBeGreaterThan(200);
    expect(answers.filter(([, answer]) => !isShut(answer))).toEqual([]);
    const spoken = Object.entries(others);
    expect(spoken.length).toBe(3);
    expect(spoken.filter(([, answer]) => !isSilence(answer))).toEqual([]);
    // Whoever may come in still can, and nothing was changed.
    expect(await askOnceUp('SELECT count() FROM ours.t')).toBe('0');
  });

  it('needs both secrets: each alone opens nothing', async () => {
    await askOnceUp('SELECT 1');
    const { connection } = server;
    await expect(ask('SELECT 1', { ...connection, headers: {} })).rejects.toThrow('There is no handle /');
    await expect(ask('SELECT 1', { ...connection, password: 'guess' })).rejects.toThrow('Authentication failed');
    const notQuite = { 'X-Mintscope-Access': `${connection.headers['X-Mintscope-Access']}x` };
    await expect(ask('SELECT 1', { ...connection, headers: notQuite })).rejects.toThrow('There is no handle /');
  });

  it.runIf(process.platform === 'linux')('finds one port, on loopback alone', async () => {
    const links = await readdir(`/proc/${server.pid}/fd`);
    const open = await Promise.all(links.map((fd) => readlink(`/proc/${server.pid}/fd/${fd}`).catch(() => '')));
    const inodes = new Set(open.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]));
    const heard: string[] = [];
    for (const [table, listening] of [
      ['tcp', '0A'],
      ['tcp6', '0A'],
      ['udp', '07'],
      ['udp6', '07'],
    ] as const) {
      for (const line of (await readFile(`/proc/net/${table}`, 'utf8')).split('\n').slice(1)) {
        const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
        if (state === listening && inodes.has(inode)) heard.push(`${table} ${local}`);
      }
    }
    const port = portOf(server).toString(16).toUpperCase().padStart(4, '0');
    expect(heard).toEqual([`tcp 0100007F:${port}`]);
  });

  it('reads no secret in a file, a name of a process or the log', async () => {
    const { password, headers } = server.connection;
    const secrets = [password, ...Object.values(headers)];
    const files = await filesBelow(join(dir, 'store'));
    expect(files.length).toBeGreaterThan(3);
    expect((await stat(join(dir, 'store'))).mode & 0o077).toBe(0);
    for (const file of files) expect([file, (await stat(file)).mode & 0o077]).toEqual([file, 0]);
    for (const name of ['users.xml', 'server.log', 'server.err.log']) {
      const content = await readFile(join(dir, 'store', name), 'utf8');
      // The configuration alone has to name the header's value.
      for (const secret of secrets) expect(content).not.toContain(secret);
    }
    if (process.platform !== 'linux') return;
    for (const secret of secrets) {
      expect(await readFile(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(secret);
      expect(await readFile(`/proc/${server.pid}/environ`, 'utf8')).not.toContain(secret);
    }
  });

  it.runIf(STRANGER_IS_NOBODY)('never gets the port, however often the server ends and starts again', async () => {
    const squatter = await startSquatter(portOf(server));
    for (let kills = 0; kills < KILLS; kills++) {
      await askOnceUp('SELECT 1');
      const { pid } = server;
      process.kill(pid, 'SIGKILL');
      while (server.pid === pid) await systemClock.sleep(20);
    }
    const { tries, taken } = await squatter.stop();
    expect(tries).toBeGreaterThan(KILLS);
    expect(taken).toBe(0);
    expect(await askOnceUp('SELECT 1')).toBe('1');
  });

  it.runIf(STRANGER_IS_NOBODY)('gets it once it is let go, so that the test above can fail', async () => {
    const { port, release } = reservePort();
    release();
    const squatter = await startSquatter(port);
    expect((await squatter.stop()).taken).toBeGreaterThan(0);
  });

  it('who does not let the engine come up makes a pause that ends with him', async () => {
    const { pid } = server;
    const stranger = await startPressing(portOf(server));
    const before = ends;
    await eventually(() => expect(ends).toBeGreaterThan(before + ENDS));
    expect((await stranger.stop()).done).toBeGreaterThan(0);
    expect(await askOnceUp('SELECT count() FROM ours.t')).toBe('0');
    expect(server.pid).not.toBe(pid);
    expect(server.lost.aborted).toBe(false);
  });

  it('who hangs up again and again makes a pause at most', async () => {
    expect((await hangUp(portOf(server), HANG_UPS)).done).toBeGreaterThanOrEqual(HANG_UPS);
    expect(await askOnceUp('SELECT count() FROM ours.t')).toBe('0');
    expect(server.lost.aborted).toBe(false);
  });
});
