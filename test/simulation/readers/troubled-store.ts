import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { connectionUrl, DEFAULT_DATABASE } from '../../../src/store/clickhouse/client.ts';
import { startEmbeddedServer } from '../../../src/store/clickhouse/embedded/embedded-server.ts';
import { type CutAnswers, startCutAnswers } from '../../support/cut-answers.ts';
import { type SeverableProxy, startSeverableProxy } from '../severable-proxy.ts';

/** A ClickHouse that is not the service's own, and the way to it. */
export interface TroubledStore {
  /** Of the service, credentials included. */
  readonly url: string;
  /** Of the engine's process now. */
  readonly pid: number;
  /** Troubles questions and answers. */
  readonly answers: CutAnswers;
  /** Troubles connections. */
  readonly wire: SeverableProxy;
  close(): Promise<void>;
}

/** Starts an engine that is kept running, as a server of somebody's own is. */
export async function startTroubledStore(folder: string): Promise<TroubledStore> {
  const dir = join(folder, 'somebodys-clickhouse');
  mkdirSync(dir, { recursive: true });
  const server = await startEmbeddedServer({ dir, log: silentLogger, clock: systemClock });
  const answers = await startCutAnswers(server.connection);
  const wire = await startSeverableProxy(Number(new URL(answers.connection.url).port));
  const way = { ...server.connection, url: `http://127.0.0.1:${wire.port}`, database: DEFAULT_DATABASE };
  return {
    url: connectionUrl(way),
    get pid() {
      return server.pid;
    },
    answers,
    wire,
    async close() {
      await wire.close();
      await answers.close();
      await server.stop();
    },
  };
}
