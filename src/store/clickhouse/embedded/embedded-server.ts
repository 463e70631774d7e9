import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import { createDescriptors } from '../../../kernel/descriptors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { StoreConnection } from '../client.ts';
import { StoreError } from '../store-error.ts';
import { findEngineLibrary } from './engine-library.ts';
import {
  DataTaken,
  EngineAborted,
  type EngineProcess,
  type EngineSettings,
  startEngine,
  untilAborted,
} from './engine-process.ts';
import { reservePort } from './reserved-port.ts';
import { ACCESS_HEADER, APPLICATION_USER } from './server-config.ts';

/** A ClickHouse server of our own, in a child process that ends with us. */
export interface EmbeddedServer {
  /** The way for a client to reach the server, without a database of its own yet. */
  readonly connection: StoreConnection;
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
}

/** Milliseconds that a server which an earlier process left behind may take to notice that it is alone. */
const ORPHAN_TIMEOUT_MS = 3_000;
const ORPHAN_EVERY_MS = 100;
/** Starts that fail one behind the other; more than this, and trying again does not mend it. */
const MAX_FAILED_STARTS = 5;
/** Aborts before the first answer, after which the data is to blame rather than strangers. */
const MAX_ABORTED_FIRST_STARTS = 20;
/** A server that was up for less than this is started again after a pause, so that it never takes all of a core. */
const SHORT_LIFE_MS = 10_000;
const FIRST_PAUSE_MS = 250;
/** Pauses between starts that fail double up to this. */
const LONGEST_PAUSE_MS = 10_000;
const SECRET_BYTES = 24;

/**
 * Starts the server, and starts it again on the same port and with the same
 * secrets as often as it ends by itself: to its clients that is a pause.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const library = findEngineLibrary();
  if (library === undefined) {
    throw new StoreError(
      'engine_missing',
      `there is no embedded ClickHouse for ${process.platform}-${process.arch}, or it is not installed: set CLICKHOUSE_URL`,
    );
  }
  const { dir, backupDir, log, clock } = options;
  const { port, release } = reservePort();
  const connection: StoreConnection = {
    url: `http://127.0.0.1:${port}`,
    username: APPLICATION_USER,
    password: newSecret(),
    database: 'default',
    headers: { [ACCESS_HEADER]: newSecret() },
  };
  const settings: EngineSettings = { library, dir, backupDir, port, connection, clock };
  const stopping = new AbortController();
  const start = async (): Promise<EngineProcess> => {
    const startedAt = clock.elapsed();
    const engine = await startEngine(settings, stopping.signal);
    log.info({ pid: engine.pid, port, ms: Math.round(clock.elapsed() - startedAt) }, 'embedded ClickHouse is up');
    return engine;
  };
  let running = await firstStart(start, clock).catch((error: unknown) => {
    release();
    throw error;
  });
  const lost = new AbortController();
  const descriptors = createDescriptors(options);
  const kept = keepRunning();

  /** Resolves when the server is not to run any more, or cannot. */
  async function keepRunning(): Promise<void> {
    for (;;) {
      const upAt = clock.elapsed();
      await untilAborted(running.ended);
      if (stopping.signal.aborted) return;
      const pauseMs = clock.elapsed() - upAt < SHORT_LIFE_MS ? FIRST_PAUSE_MS : 0;
      log.error({ pid: running.pid, pauseMs, stderr: running.stderr() }, 'the embedded ClickHouse has ended by itself');
      const next = await startAgain(pauseMs);
      if (next === undefined) break;
      running = next;
      // Asked to stop just as it came up.
      if (stopping.signal.aborted) return running.stop();
    }
    if (!stopping.signal.aborted) {
      lost.abort(new StoreError('engine_lost', 'the embedded ClickHouse has ended and does not start again'));
    }
  }

  /** Undefined when it is not to start any more, or does not. */
  async function startAgain(firstPauseMs: number): Promise<EngineProcess | undefined> {
    let pauseMs = firstPauseMs;
    for (let failed = 0; failed < MAX_FAILED_STARTS; ) {
      await clock.sleep(pauseMs, stopping.signal);
      if (stopping.signal.aborted) return undefined;
      try {
        // A process that has no descriptor left for a child of its own gets one back sooner or later.
        return await descriptors.patiently(start, stopping.signal);
      } catch (error) {
        log.error({ err: String(error) }, 'the embedded ClickHouse does not start again');
        // Over a stranger's connection it may end itself before it has answered us: that is a pause too.
        if (!(error instanceof EngineAborted)) failed += 1;
      }
      pauseMs = Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    }
    return undefined;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await running.stop();
    // It may have been just starting again.
    await kept;
    release();
  }

  let stopped: Promise<void> | undefined;
  return {
    connection,
    get pid() {
      return running.pid;
    },
    lost: lost.signal,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Waits for a server that lost its parent to end, and starts again over strangers who end it before it has answered. */
async function firstStart(start: () => Promise<EngineProcess>, clock: Clock): Promise<EngineProcess> {
  const deadline = clock.elapsed() + ORPHAN_TIMEOUT_MS;
  for (let aborted = 0; ; ) {
    try {
      return await start();
    } catch (error) {
      if (error instanceof EngineAborted) aborted += 1;
      const isPassing = error instanceof DataTaken ? clock.elapsed() <= deadline : error instanceof EngineAborted;
      if (!isPassing || aborted > MAX_ABORTED_FIRST_STARTS) throw error;
      await clock.sleep(ORPHAN_EVERY_MS);
    }
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
