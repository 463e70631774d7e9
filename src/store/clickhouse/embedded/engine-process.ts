import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../kernel/clock.ts';
import { isOutOfDescriptors } from '../../../kernel/descriptors.ts';
import { makePrivateFolder, writePrivateFile } from '../../../kernel/private-files.ts';
import type { StoreConnection } from '../client.ts';
import { StoreError } from '../store-error.ts';
import { engineReserve, SERVE_SCRIPT, type ServerPaths, serverConfigXml, usersXml } from './server-config.ts';

/** Settings of a server, the same over all its restarts. */
export interface EngineSettings {
  /** The engine's shared library. */
  readonly library: string;
  /** Folder of the engine's data, its configuration and its logs. */
  readonly dir: string;
  /** The only folder that BACKUP and RESTORE may touch; undefined forbids both. */
  readonly backupDir: string | undefined;
  readonly port: number;
  /** The way for a client to reach the server, which nobody else has. */
  readonly connection: StoreConnection;
  readonly clock: Clock;
}

/** A process that is the server. */
export interface EngineProcess {
  readonly pid: number;
  readonly ended: AbortSignal;
  /** The end of its stderr, to explain why it ended. */
  stderr(): string;
  /** Lets running queries go and ends it. Resolves within about two seconds. */
  stop(): Promise<void>;
}

/** An earlier server is still at its data. */
export class DataTaken extends StoreError {}
/** It ended itself behind its open port, before it had answered us: over a connection of somebody else's. */
export class EngineAborted extends StoreError {}

/** Milliseconds that a start may take before it counts as failed: a large store has many parts to look at. */
const START_TIMEOUT_MS = 60_000;
/** Pause between two looks whether the server answers. */
const PING_EVERY_MS = 50;
/** Milliseconds that an orderly stop may take before the process is killed. */
const STOP_TIMEOUT_MS = 1_500;
/** Characters of the child's stderr that are kept, to explain a failed start. */
const MAX_STDERR_CHARS = 4_000;

/**
 * Starts the server once. Resolves when it answers; rejects with StoreError, {@link DataTaken} and
 * {@link EngineAborted} among them, when its process has ended. The signal ends it.
 */
export async function startEngine(settings: EngineSettings, signal: AbortSignal): Promise<EngineProcess> {
  const { library, port, backupDir, connection } = settings;
  const dir = resolve(settings.dir);
  const paths = pathsIn(dir);
  await makePrivateFolder(dir);
  await makePrivateFolder(paths.data);
  await writePrivateFile(paths.users, usersXml(connection.password));
  const { blocks, bsize } = await statfs(paths.data);
  const reserveBytes = engineReserve(blocks * bsize);
  const config = serverConfigXml({ paths, port, headers: connection.headers, backupDir, reserveBytes });
  await writePrivateFile(paths.config, config);
  const child = spawnServer(library, paths);
  const { ended, stderr, fault } = watchProcess(child);
  try {
    await untilAnswering(settings, { child, ended, stderr, signal });
  } catch (error) {
    child.kill('SIGKILL');
    await untilAborted(ended);
    throw isOutOfDescriptors(fault()) ? fault() : error;
  }
  return { pid: child.pid ?? -1, ended, stderr, stop: () => stopServer(child, ended, connection) };
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
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
  const script = fileURLToPath(new URL('server-process.mjs', import.meta.url));
  const engine = [`--config-file=${config}`, `--path=${data}`, '--log-level=warning', `--query=${SERVE_SCRIPT}`];
  return spawn(process.execPath, [script, library, ...engine], {
    // Out of our process group: a Ctrl-C in the terminal is ours to handle, and the child's to outlive.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {},
  });
}

interface WatchedProcess {
  readonly ended: AbortSignal;
  readonly stderr: () => string;
  /** The error that kept the process from being started; undefined without one. */
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
  child.on('exit', (code, by) => {
    process.off('exit', kill);
    stderr += `\n(ended by ${by ?? `exit code ${code}`})`;
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

interface StartingProcess extends Pick<WatchedProcess, 'ended' | 'stderr'> {
  readonly child: ChildProcess;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

async function untilAnswering({ connection, clock }: EngineSettings, starting: StartingProcess): Promise<void> {
  const { ended, stderr, child, signal } = starting;
  let deadline = clock.elapsed() + START_TIMEOUT_MS;
  while (clock.elapsed() < deadline) {
    if (ended.aborted) throw notStarted(stderr(), child.signalCode);
    if (signal.aborted) throw new StoreError('engine_not_started', 'the embedded ClickHouse was stopped at its start');
    const answer = await ask(connection, 'SELECT 1').catch((error: unknown) => {
      // It was not asked at all.
      if (isOutOfDescriptors(error)) deadline = clock.elapsed() + START_TIMEOUT_MS;
    });
    if (answer?.ok === true) return;
    await clock.sleep(PING_EVERY_MS, AbortSignal.any([ended, signal]));
  }
  throw new StoreError('engine_not_started', `the embedded ClickHouse did not answer within ${START_TIMEOUT_MS} ms`);
}

function notStarted(stderr: string, by: NodeJS.Signals | null): StoreError {
  if (/Cannot lock file/i.test(stderr)) {
    return new DataTaken('store_in_use', 'another embedded ClickHouse runs on this data folder');
  }
  const explained = `the embedded ClickHouse ended at its start: ${stderr}`;
  return by === 'SIGABRT'
    ? new EngineAborted('engine_not_started', explained)
    : new StoreError('engine_not_started', explained);
}

function ask({ url, username, password, headers }: StoreConnection, sql: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return fetch(url, {
    method: 'POST',
    body: sql,
    // The engine's shutdown waits for open connections, so none is kept.
    headers: { ...headers, authorization, connection: 'close' },
    signal: AbortSignal.timeout(STOP_TIMEOUT_MS),
  });
}

/** Kills the query that keeps the engine waiting, so that it shuts down in order; then, at the latest, the process. */
async function stopServer(child: ChildProcess, ended: AbortSignal, connection: StoreConnection): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  if (!ended.aborted) await ask(connection, "KILL QUERY WHERE user = '' ASYNC").catch(() => child.kill('SIGKILL'));
  await untilAborted(ended);
  clearTimeout(timer);
}
