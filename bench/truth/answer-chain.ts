import type { Address } from '../../src/chain/address.ts';
import { createAnswers } from '../../src/features/index.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { MAX_UNCOMMITTED_BATCHES } from '../../src/ingest/live/pipeline.ts';
import { startIngestThread } from '../../src/ingest/thread.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { createSweep } from '../../src/store/clickhouse/derived/sweep.ts';
import { MEMPOOL_BUYERS_SWEEP } from '../../src/store/clickhouse/derived/swept-tables.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';
import { askAbout, askMempool, type TokenAnswers } from './ask.ts';
import type { ChainTruth } from './chain.ts';

export interface AnsweredChain {
  readonly answers: ReadonlyMap<Address, TokenAnswers>;
  readonly mempool: Awaited<ReturnType<typeof askMempool>>;
}

/** Tokens that are asked about at once. */
const AT_ONCE = 3;
/** A busy machine makes a bounded read stop now and then, and whoever asks asks again. */
const TRIES = 5;
const TRY_AGAIN_MS = 500;
/** After the chain's last second: nobody asks before it is over. */
const ASKED_AFTER_MS = 1_500;

/** Puts a file of blocks through the ingest thread into a store, and asks the service's own answers about every token. */
export async function answerChain(
  chain: ChainTruth,
  path: string,
  options: { readonly storeUrl: string; readonly dataDir: string },
): Promise<AnsweredChain> {
  const log = createLogger('error');
  const { dataDir, storeUrl: url } = options;
  const store = await openStore({ url, dataDir, log, clock: systemClock });
  try {
    const feed = createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES });
    const ingest = await startIngestThread({
      worker: {
        source: { kind: 'replay', path },
        store: { connection: store.connection, dataDir, lease: store.lease },
        logLevel: 'error',
      },
      feed,
      clock: systemClock,
      log,
    });
    await ingest.finished;
    if (feed.committedSlot !== chain.lastSlot) {
      throw new Error(`the store answers up to ${feed.committedSlot}, the chain ends with ${chain.lastSlot}`);
    }
    await sweep(store);
    const answers = createAnswers({ client: store.client, feed, clock: clockAt(chain), log });
    const answered = await askAll(chain, answers);
    const mempool = await patiently(() => askMempool(answers));
    answers.close();
    return { answers: answered, mempool };
  } finally {
    await store.close();
  }
}

/** Stands still at the chain's end, where windows of time are counted back from. */
function clockAt({ lastTime }: ChainTruth): Clock {
  return { ...systemClock, now: () => lastTime * 1_000 + ASKED_AFTER_MS };
}

async function sweep({ client }: Store): Promise<void> {
  const step = await createSweep(client, MEMPOOL_BUYERS_SWEEP);
  while ((await step.step()) !== undefined);
}

async function askAll(
  { tokens }: ChainTruth,
  answers: Parameters<typeof askAbout>[0],
): Promise<Map<Address, TokenAnswers>> {
  const answered = new Map<Address, TokenAnswers>();
  const waiting = tokens.map(({ mint }) => mint);
  const ask = async () => {
    for (let mint = waiting.pop(); mint !== undefined; mint = waiting.pop()) {
      const asked = mint;
      answered.set(asked, await patiently(() => askAbout(answers, asked)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return answered;
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries === TRIES) throw error;
      await systemClock.sleep(TRY_AGAIN_MS);
    }
  }
}
