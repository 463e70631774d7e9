import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import {
  connectionUrl,
  createStoreClient,
  readConnection,
  runStatement,
  type StoreClient,
} from '../../src/store/clickhouse/client.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/store/clickhouse/embedded/embedded-server.ts';
import type { AdversityPlan } from './adversity.ts';
import { createChainRun, type RunFigures } from './chain-run.ts';

/** One real ClickHouse for many seeds: each has a database of its own in it. */
export interface Campaign {
  /** Runs one plan to its end and compares everything. Never throws: what breaks is the outcome. */
  run(plan: AdversityPlan): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly plan: AdversityPlan;
  /** The fault, for people; undefined when the end state is the truth. */
  readonly fault: string | undefined;
  readonly figures: RunFigures;
  readonly ms: number;
}

export async function startCampaign(): Promise<Campaign> {
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-campaign-'));
  const server = await startEmbeddedServer({
    dir: join(folder, 'clickhouse'),
    log: silentLogger,
    clock: systemClock,
  });
  let runs = 0;
  return {
    async run(plan) {
      runs += 1;
      const database = `seed_${runs}`;
      const dataDir = await mkdtemp(join(folder, 'data-'));
      const client = createStoreClient(readConnection(storeUrl(server, database)));
      const startedAt = systemClock.elapsed();
      const run = await createChainRun(plan, { storeUrl: storeUrl(server, database), dataDir, client });
      const fault = await run.difference().catch(tellError);
      const figures = run.figures();
      await run.close();
      await dropDatabase(client, server, database);
      await rm(dataDir, { recursive: true, force: true });
      return { plan, fault, figures, ms: systemClock.elapsed() - startedAt };
    },
    async close() {
      await server.stop();
      // The engine's last threads may still put files away.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** With its causes: what broke first is the last of them. */
function tellError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `, because ${tellError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function storeUrl({ connection }: EmbeddedServer, database: string): string {
  return connectionUrl({ ...connection, database });
}

async function dropDatabase(client: StoreClient, server: EmbeddedServer, database: string): Promise<void> {
  await client.close();
  const admin = createStoreClient(readConnection(storeUrl(server, 'default')));
  // Left where it is when the engine is just starting again: the folder goes in the end.
  await runStatement(admin, `DROP DATABASE IF EXISTS ${database}`).catch(() => {});
  await admin.close();
}

/** A failed run, short enough to read and complete enough to run again. */
export function tellStory({ plan, fault, figures, ms }: Outcome): string {
  const { chain, stream, rpc, restarts, sources } = plan;
  const list = (items: readonly unknown[]) => (items.length === 0 ? 'none' : JSON.stringify(items));
  return [
    `seed ${plan.seed} (${plan.commitment}, ${plan.slots} slots, ${Math.round(ms)} ms): ${fault ?? 'all is true'}`,
    `  replay: npm run simulate -- --seed ${plan.seed}`,
    `  skipped ${list(chain.skipped)} orphans ${list(chain.orphans)}`,
    `  twins ${list(chain.twins)} dead ${list(chain.dead)} untold ${list(chain.untold)}`,
    `  omitted ${list(stream.omitted)} pruned ${list(rpc.pruned)} replays ${stream.replaySlots} slots, rpc troubles ${rpc.share}`,
    `  troubles ${list(stream.troubles)}`,
    `  sources ${JSON.stringify(sources)}`,
    `  takeovers ${list(plan.takeovers)}`,
    `  restarts ${list(restarts)} outages ${list(plan.storeOutages)}`,
    `  figures ${JSON.stringify(figures)}`,
  ].join('\n');
}
