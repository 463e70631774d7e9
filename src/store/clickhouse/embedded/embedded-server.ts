import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Clock } from '../../../kernel/clock.ts';
import { createDescriptors, isOutOfDescriptors } from '../../../kernel/descriptors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { StoreError } from '../store-error.ts';
import { findEngineLibrary } from './engine-library.ts';
import { APPLICATION_USER, SERVE_SCRIPT, type ServerPaths, serverConfigXml, usersXml } from './server-config.ts';

/** A ClickHouse server of our own, in a child process that ends with us. */
export interface EmbeddedServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Of the process that is the server now. */
  readonly pid: number;
  /** Aborts when the server has ended by itself and could not be started again. */
  readonly lost: AbortSignal;
  /** Lets running queries go and ends the process. Resolves within about two seconds. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  /** Folder of the engine's data, its configuration and its logs. */
  readonly dir: string;
  /** The only folder that BACKUP and RESTORE may touch; undefined forbids both. */
  readonly backupDir?: string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** Ends that nobody asked for, in the life of this process, after which it is not started again. */
  readonly maxRestarts?: number;
}

/** How long a start may take before it counts as failed: a large store has many parts to look at. */
const START_TIMEOUT_MS = 60_000;
/** Pause between two looks whether the server answers. */
const PING_EVERY_MS = 50;
/** How long an orderly stop may take before the process is killed. */
const STOP_TIMEOUT_MS = 1_500;
/** More than this, and something is wrong that starting again does not mend. */
const MAX_RESTARTS = 20;
/** Free ports tried: another process may take one between our look and the engine's. */
const PORT_TRIES = 3;
/** How long a server that an earlier process left behind may take to notice that it is alone. */
const ORPHAN_TIMEOUT_MS = 3_000;
const ORPHAN_EVERY_MS = 100;
const PASSWORD_BYTES = 24;
/** What is kept of the child's stderr, to explain a failed start. */
const MAX_STDERR_CHARS = 4_000;

/**
 * Starts the server, and starts it again on the same port and with the same
 * password when it ends by itself: to its clients that is a pause.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const library = findEngineLibrary();
  if (library === undefined) {
    throw new StoreError(
      'engine_missing',
      `there is no embedded ClickHouse for ${process.platform}-${process.arch}, or it is not installed: set CLICKHOUSE_URL`,
    );
  }
  const { log, maxRestarts = MAX_RESTARTS } = options;
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const start = (port: number) => startOnce(options, library, { port, password });
  let running = await firstStart(start, options.clock);
  const { access } = running;
  const lost = new AbortController();
  const stopped = new AbortController();
  const descriptors = createDescriptors(options);
  let stopping = false;
  void keepRunning();

  async function keepRunning(): Promise<void> {
    for (let restarts = 0; ; restarts++) {
      await untilAborted(running.ended);
      if (stopping) return;
      log.error({ pid: running.pid, restarts }, 'the embedded ClickHouse has ended by itself');
      if (restarts >= maxRestarts) break;
      try {
        // A process that has no descriptor left for a child of its own gets one back sooner or later.
        running = await descriptors.patiently(() => start(access.port), stopped.signal);
      } catch (error) {
        if (stopping) return;
        log.error({ err: String(error) }, 'the embedded ClickHouse does not start again');
        break;
      }
      // Asked to stop while it was starting.
      if (stopping) return running.stop();
    }
    lost.abort(new StoreError('engine_lost', 'the embedded ClickHouse has ended and does not start again'));
  }

  return {
    url: access.url,
    username: APPLICATION_USER,
    password,
    get pid() {
      return running.pid;
    },
    lost: lost.signal,
    async stop() {
      stopping = true;
      stopped.abort();
      await running.stop();
    },
  };
}

/** Tries free ports until one is still free when the engine takes it, and waits for a server that lost its parent to end. */
async function firstStart(start: (port: number) => Promise<RunningServer>, clock: Clock): Promise<RunningServer> {
  const deadline = clock.elapsed() + ORPHAN_TIMEOUT_MS;
  let portsTaken = 0;
  for (;;) {
    try {
      return await start(await findFreePort());
    } catch (error) {
      if (error instanceof PortTaken && ++portsTaken < PORT_TRIES) continue;
      if (!(error instanceof DataTaken) || clock.elapsed() > deadline) throw error;
      await clock.sleep(ORPHAN_EVERY_MS);
    }
  }
}

class PortTaken extends StoreError {}
class DataTaken extends StoreError {}

/** How the server is reached, the same over all its restarts. */
interface Access {
  readonly port: number;
  readonly url: string;
  readonly authorization: string;
}

interface RunningServer {
  readonly access: Access;
  readonly pid: number;
  readonly ended: AbortSignal;
  stop(): Promise<void>;
}

async function startOnce(
  { dir, backupDir, log, clock }: EmbeddedServerOptions,
  library: string,
  { port, password }: { readonly port: number; readonly password: string },
): Promise<RunningServer> {
  const startedAt = clock.elapsed();
  const access: Access = {
    port,
    url: `http://127.0.0.1:${port}`,
    authorization: `Basic ${Buffer.from(`${APPLICATION_USER}:${password}`).toString('base64')}`,
  };
  const paths = pathsIn(resolve(dir));
  await mkdir(paths.data, { recursive: true, mode: 0o700 });
  await writeFile(paths.users, usersXml(password), { mode: 0o600 });
  await writeFile(paths.config, serverConfigXml({ paths, port, backupDir }), { mode: 0o600 });
  const child = spawnServer(library, paths);
  const { ended, stderr, fault } = watchProcess(child);
  try {
    await untilAnswering(access, ended, stderr, clock);
  } catch (error) {
    child.kill('SIGKILL');
    throw isOutOfDescriptors(fault()) ? fault() : error;
  }
  log.info({ pid: child.pid, port, ms: Math.round(clock.elapsed() - startedAt) }, 'embedded ClickHouse is up');
  return { access, pid: child.pid ?? -1, ended, stop: () => stopServer(child, ended, access) };
}

function pathsIn(root: string): ServerPaths {
  return {
    data: join(root, 'data'),
    config: join(root, 'config.xml'),
    users: join(root, 'users.xml'),
    log: join(root, 'server.log'),
    errorLog: join(root, 'server.err.log'),
  };
}

function spawnServer(library: string, { config, data }: ServerPaths): ChildProcess {
  const entry = import.meta.url.endsWith('.ts') ? 'server-process.ts' : 'server-process.js';
  const script = fileURLToPath(new URL(entry, import.meta.url));
  // From sources the child needs the loader that its parent runs under.
  const loader = entry.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(script).resolve('tsx')).href] : [];
  const engine = [`--config-file=${config}`, `--path=${data}`, '--log-level=warning', `--query=${SERVE_SCRIPT}`];
  return spawn(process.execPath, [...loader, script, library, ...engine], {
    // Out of our process group: a Ctrl-C in the terminal is ours to handle, and the child's to outlive.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {},
  });
}

interface WatchedProcess {
  readonly ended: AbortSignal;
  readonly stderr: () => string;
  /** Why there is no process, when there could be none. */
  readonly fault: () => Error | undefined;
}

function watchProcess(child: ChildProcess): WatchedProcess {
  let fault: Error | undefined;
  const ended = new AbortController();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  // The child ends by itself when we do, unless it hangs.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.on('exit', () => {
    process.off('exit', kill);
    ended.abort();
  });
  child.on('error', (error) => {
    fault = error;
    process.off('exit', kill);
    stderr += error.message;
    ended.abort();
  });
  // Writing to a dead child's stdin is no news of its own.
  child.stdin?.on('error', () => {});
  return { ended: ended.signal, stderr: () => stderr.trim(), fault: () => fault };
}

async function untilAnswering(access: Access, ended: AbortSignal, stderr: () => string, clock: Clock): Promise<void> {
  let deadline = clock.elapsed() + START_TIMEOUT_MS;
  while (clock.elapsed() < deadline) {
    if (ended.aborted) throw notStarted(stderr());
    const answer = await ask(access, 'SELECT 1').catch((error: unknown) => {
      // It was not asked at all.
      if (isOutOfDescriptors(error)) deadline = clock.elapsed() + START_TIMEOUT_MS;
    });
    if (answer?.ok === true) return;
    if (answer !== undefined) {
      // Not our password: another program's server took the port.
      throw new PortTaken('engine_not_started', `the port of ${access.url} was taken by another program`);
    }
    await clock.sleep(PING_EVERY_MS, ended);
  }
  throw new StoreError('engine_not_started', `the embedded ClickHouse did not answer within ${START_TIMEOUT_MS} ms`);
}

function notStarted(stderr: string): StoreError {
  if (/Address already in use/i.test(stderr)) return new PortTaken('engine_not_started', stderr);
  if (/Cannot lock file/i.test(stderr)) {
    return new DataTaken('store_in_use', 'another embedded ClickHouse runs on this data folder');
  }
  return new StoreError('engine_not_started', `the embedded ClickHouse ended at its start: ${stderr}`);
}

function ask({ url, authorization }: Access, sql: string): Promise<Response> {
  // The engine's shutdown waits for open connections, so none is kept.
  const headers = { authorization, connection: 'close' };
  return fetch(url, { method: 'POST', body: sql, headers, signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
}

/** Kills the query that keeps the engine waiting, so that it shuts down in order; then, at the latest, the process. */
async function stopServer(child: ChildProcess, ended: AbortSignal, access: Access): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  if (!ended.aborted) await ask(access, "KILL QUERY WHERE user = '' ASYNC").catch(() => child.kill('SIGKILL'));
  await untilAborted(ended);
  clearTimeout(timer);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
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
