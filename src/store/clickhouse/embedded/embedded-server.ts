import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { StoreError } from '../store-error.ts';
import { findEngineLibrary } from './engine-library.ts';
import { APPLICATION_USER, SERVE_SCRIPT, type ServerPaths, serverConfigXml, usersXml } from './server-config.ts';

/** A ClickHouse server of our own, in a child process that ends with us. */
export interface EmbeddedServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly pid: number;
  /** Aborts when the process has ended, asked or not. */
  readonly ended: AbortSignal;
  /** Lets running queries go and ends the process. Resolves within about two seconds. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  /** Folder of the engine's data, its configuration and its logs. */
  readonly dir: string;
  readonly log: Logger;
  readonly clock: Clock;
}

/** How long a start may take before it counts as failed: a large store has many parts to look at. */
const START_TIMEOUT_MS = 60_000;
/** Pause between two looks whether the server answers. */
const PING_EVERY_MS = 50;
/** How long an orderly stop may take before the process is killed. */
const STOP_TIMEOUT_MS = 1_500;
/** Free ports tried: another process may take one between our look and the engine's. */
const PORT_TRIES = 3;
const PASSWORD_BYTES = 24;
/** What is kept of the child's stderr, to explain a failed start. */
const MAX_STDERR_CHARS = 4_000;

export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const library = findEngineLibrary();
  if (library === undefined) {
    throw new StoreError(
      'engine_missing',
      `there is no embedded ClickHouse for ${process.platform}-${process.arch}, or it is not installed: set CLICKHOUSE_URL`,
    );
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options, library);
    } catch (error) {
      if (attempt >= PORT_TRIES || !(error instanceof PortTaken)) throw error;
    }
  }
}

class PortTaken extends StoreError {}

async function startOnce({ dir, log, clock }: EmbeddedServerOptions, library: string): Promise<EmbeddedServer> {
  const startedAt = clock.elapsed();
  const root = resolve(dir);
  const paths: ServerPaths = {
    data: join(root, 'data'),
    log: join(root, 'server.log'),
    errorLog: join(root, 'server.err.log'),
    users: join(root, 'users.xml'),
  };
  const config = join(root, 'config.xml');
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const port = await findFreePort();
  await mkdir(paths.data, { recursive: true, mode: 0o700 });
  await writeFile(paths.users, usersXml(password), { mode: 0o600 });
  await writeFile(config, serverConfigXml(paths, port), { mode: 0o600 });

  const child = spawnServer(library, [
    `--config-file=${config}`,
    `--path=${paths.data}`,
    '--log-level=warning',
    `--query=${SERVE_SCRIPT}`,
  ]);
  const process_ = watchProcess(child);
  const url = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(`${APPLICATION_USER}:${password}`).toString('base64')}`;
  try {
    await untilAnswering(url, authorization, process_, clock);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  log.info({ pid: child.pid, port, ms: Math.round(clock.elapsed() - startedAt) }, 'embedded ClickHouse is up');
  return {
    url,
    username: APPLICATION_USER,
    password,
    pid: child.pid ?? -1,
    ended: process_.ended,
    stop: () => stopServer(child, process_.ended, url, authorization),
  };
}

function spawnServer(library: string, args: readonly string[]): ChildProcess {
  const entry = import.meta.url.endsWith('.ts') ? 'server-process.ts' : 'server-process.js';
  const script = fileURLToPath(new URL(entry, import.meta.url));
  // From sources the child needs the loader that its parent runs under.
  const loader = entry.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(script).resolve('tsx')).href] : [];
  return spawn(process.execPath, [...loader, script, library, ...args], {
    // Out of our process group: a Ctrl-C in the terminal is ours to handle, and the child's to outlive.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {},
  });
}

interface ProcessWatch {
  readonly ended: AbortSignal;
  readonly stderr: () => string;
}

function watchProcess(child: ChildProcess): ProcessWatch {
  const ended = new AbortController();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  child.on('exit', () => ended.abort());
  child.on('error', (error) => {
    stderr += error.message;
    ended.abort();
  });
  // Writing to a dead child's stdin is no news of its own.
  child.stdin?.on('error', () => {});
  return { ended: ended.signal, stderr: () => stderr.trim() };
}

async function untilAnswering(url: string, authorization: string, server: ProcessWatch, clock: Clock): Promise<void> {
  const deadline = clock.elapsed() + START_TIMEOUT_MS;
  while (clock.elapsed() < deadline) {
    if (server.ended.aborted) throw notStarted(server.stderr());
    try {
      const answer = await ask(url, authorization, 'SELECT 1');
      if (answer.ok) return;
      // Not our password: another program's server took the port.
      throw new PortTaken('engine_not_started', `port of ${url} was taken by another program`);
    } catch (error) {
      if (error instanceof StoreError) throw error;
    }
    await clock.sleep(PING_EVERY_MS, server.ended);
  }
  throw new StoreError('engine_not_started', `the embedded ClickHouse did not answer within ${START_TIMEOUT_MS} ms`);
}

function notStarted(stderr: string): StoreError {
  if (/Address already in use/i.test(stderr)) return new PortTaken('engine_not_started', stderr);
  if (/Cannot lock file/i.test(stderr)) {
    return new StoreError('store_in_use', 'another embedded ClickHouse runs on this data folder');
  }
  return new StoreError('engine_not_started', `the embedded ClickHouse ended at its start: ${stderr}`);
}

function ask(url: string, authorization: string, sql: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: sql,
    headers: { authorization, connection: 'close' },
    signal: AbortSignal.timeout(STOP_TIMEOUT_MS),
  });
}

/** Kills the query that keeps the engine waiting, so that it shuts down in order; then, at the latest, the process. */
async function stopServer(child: ChildProcess, ended: AbortSignal, url: string, authorization: string): Promise<void> {
  if (ended.aborted) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  try {
    const end = once(ended, 'abort');
    await ask(url, authorization, "KILL QUERY WHERE user = '' ASYNC").catch(() => child.kill('SIGKILL'));
    await end;
  } finally {
    clearTimeout(timer);
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new StoreError('engine_not_started', 'no free port');
  return address.port;
}
