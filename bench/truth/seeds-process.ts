import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionUrl, createStoreClient, readConnection, runStatement } from '../../src/store/clickhouse/client.ts';
import { answerChain } from './answer-chain.ts';
import { makeChain } from './chain.ts';
import { judge, type SeedResult } from './judge.ts';

/** Message of the parent: one seed at a time. */
export interface SeedTask {
  readonly seed: string;
  readonly seconds: number;
  /** Of a ClickHouse server, credentials included; the seed gets a database of its own in it. */
  readonly serverUrl: string;
}

process.on('message', (task: SeedTask) => {
  run(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      throw error;
    },
  );
});

async function run({ seconds, seed, serverUrl }: SeedTask): Promise<SeedResult> {
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-truth-'));
  const database = `truth_${seed}`;
  try {
    const path = join(folder, 'chain.blocks');
    const chain = await makeChain(seed, seconds, path);
    const storeUrl = connectionUrl({ ...readConnection(serverUrl), database });
    const { answers, mempool } = await answerChain(chain, path, { storeUrl, dataDir: folder });
    return judge(chain, answers, mempool);
  } finally {
    await drop(serverUrl, database);
    await rm(folder, { recursive: true, force: true });
  }
}

async function drop(serverUrl: string, database: string): Promise<void> {
  const admin = createStoreClient(readConnection(serverUrl));
  await runStatement(admin, `DROP DATABASE IF EXISTS ${database}`);
  await admin.close();
}
