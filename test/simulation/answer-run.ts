import type { BookLimits } from '../../src/books/book-limits.ts';
import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import type { ClosableAnswers } from '../../src/features/index.ts';
import { createAnswers } from '../../src/features/index.ts';
import { createFeed, type InProcessFeed } from '../../src/feed/in-process.ts';
import { createPipeline, MAX_UNCOMMITTED_BATCHES } from '../../src/ingest/live/pipeline.ts';
import { openIngestStore } from '../../src/ingest/open-ingest-store.ts';
import { createIngestStats } from '../../src/ingest/report/stats.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { silentJournal } from '../../src/kernel/journal.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import type { BlockSource } from '../../src/sources/source.ts';
import { buildTestApp, TEST_KEY } from '../support/api-app.ts';
import { openTestStore } from '../support/store.ts';

/** A simulated chain that went through ingest into a store, and what can be asked of it. */
export interface AnswerRun {
  /** Facts of the chain, block by block, so far. */
  readonly truth: readonly BlockFacts[];
  readonly feed: InProcessFeed;
  /** Of the answers: stands still until it is set. Unix seconds. */
  time: number;
  /** Answers of their own, over the same feed and store. */
  open(limits?: BookLimits): ClosableAnswers;
  /** So many more blocks, all of them in the feed; in the store as ingest pleases. */
  play(blocks: number): Promise<void>;
  /** The chain ends, and the store has it all. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

const STORE_TIMEOUT_MS = 10_000;
const BETWEEN_LOOKS_MS = 120_000;

export async function startAnswerRun(simulator: Simulator): Promise<AnswerRun> {
  const { store, dataDir, close: closeStore } = await openTestStore();
  const log = silentLogger;
  const target = await openIngestStore(
    { connection: store.connection, dataDir, lease: store.lease },
    { clock: systemClock, log },
  );
  const feed = createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES });
  const truth: BlockFacts[] = [];
  const answers: ClosableAnswers[] = [];
  const wanted = createGate();
  let ended = false;
  let time = 0;
  let elapsed = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => time * 1000,
    // So much between two looks that nothing is fresh enough to be given again at another time.
    elapsed: () => {
      elapsed += BETWEEN_LOOKS_MS;
      return elapsed;
    },
  };

  const source: BlockSource = {
    name: 'simulator',
    async *steps() {
      for (;;) {
        while (wanted.blocks === 0) {
          if (ended) return;
          await wanted.opened();
        }
        wanted.blocks -= 1;
        const block = simulator.next();
        truth.push(block.truth.facts('decoded'));
        yield { kind: 'block', block: readGeyserBlock(block.geyser(), silentJournal), confirmed: true };
      }
    },
  };
  const stats = createIngestStats({ source: 'simulator', committedSlot: 0, clock: systemClock, log });
  const pipeline = createPipeline({ source, store: target, sink: feed, stats, clock: systemClock });
  const run = pipeline.run(new AbortController().signal);
  // Told to whoever waits for it below.
  run.catch(() => {});

  return {
    truth,
    feed,
    get time() {
      return time;
    },
    set time(seconds) {
      time = seconds;
    },
    open(bookLimits) {
      const deps = { client: store.client, feed, clock, log };
      const opened = createAnswers(bookLimits === undefined ? deps : { ...deps, bookLimits });
      answers.push(opened);
      return opened;
    },
    async play(blocks) {
      const target = truth.length + blocks;
      wanted.blocks += blocks;
      wanted.open();
      const isPlayed = () => truth.length === target && feed.headSlot === truth.at(-1)?.slot;
      while (!isPlayed()) await Promise.race([run, systemClock.sleep(5)]);
    },
    async finish() {
      ended = true;
      wanted.open();
      await run;
    },
    async close() {
      for (const each of answers) each.close();
      await target.close(STORE_TIMEOUT_MS);
      await closeStore();
    },
  };
}

/** Blocks that may be made, and a way to wait for more. */
function createGate() {
  let wake = () => {};
  return {
    blocks: 0,
    open: () => wake(),
    opened() {
      return new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
  };
}

/** The real API over answers. */
export interface Api {
  /** The body of a 200. */
  get(path: string): Promise<string>;
  /** The same, parsed. */
  read<T>(path: string): Promise<T>;
  close(): Promise<void>;
}

export function openApi(answers: ClosableAnswers): Api {
  const app = buildTestApp({ answers });
  async function get(path: string): Promise<string> {
    const response = await app.inject({ url: `/api${path}`, headers: { 'x-api-key': TEST_KEY } });
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} of ${path}: ${response.body}`);
    return response.body;
  }
  return { get, read: async <T>(path: string): Promise<T> => JSON.parse(await get(path)), close: () => app.close() };
}
