import type { Config } from '../config.ts';
import { openIngestStore } from '../ingest/open-ingest-store.ts';
import { createPipeline } from '../ingest/pipeline.ts';
import { slotRange } from '../ingest/slot-range.ts';
import { createIngestStats, type IngestStats } from '../ingest/stats.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log.ts';
import { createSource } from '../sources/create-source.ts';
import { openStore, type Store } from '../store/clickhouse/store.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';
import { needed } from './source-options.ts';

const usage = `usage: mintscope backfill --from <slot> --to <slot>

Reads the blocks of SOLANA_RPC_URL into the store, in slot order, both ends included. Run again with the same range after an
interruption: it goes on where the store ends. The range has to lie past what the store already has, because positions are folded in order.
The service must not run on the same data folder.
`;

const PROGRESS_EVERY_MS = 2_000;
const CLOSE_TIMEOUT_MS = 30_000;

export const backfill: Command = { usage, run };

async function run(config: Config, words: readonly string[]): Promise<void> {
  const { values } = readWords(words, { from: { type: 'string' }, to: { type: 'string' } });
  const from = readSlot(values.from, '--from');
  const to = readSlot(values.to, '--to');
  if (to < from) throw new CommandMisuse('--to lies before --from');
  const url = needed(config.solanaRpcUrl, 'SOLANA_RPC_URL');
  const log = createLogger(config.logLevel);
  const clock = systemClock;
  const store = await openStore({ url: config.clickhouseUrl, dataDir: config.dataDir, log, clock });
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  try {
    const start = firstMissing(store, from, to);
    if (start === undefined) {
      process.stderr.write('the store has all of it\n');
      return;
    }
    const target = await openIngestStore(
      { connection: store.connection, dataDir: config.dataDir, lease: store.lease },
      { clock, log },
    );
    const stats = createIngestStats({ source: 'rpc', committedSlot: target.committedSlot, clock, log });
    const source = slotRange(createSource({ kind: 'rpc', url }, { clock, log, journal: stats.journal }), start, to);
    const progress = setInterval(() => report(stats, start, to), PROGRESS_EVERY_MS);
    try {
      const sink = { publish() {}, commit() {}, withdraw() {}, changed() {} };
      await createPipeline({ source, store: target, sink, stats, clock }).run(interrupted.signal);
    } finally {
      clearInterval(progress);
      await target.close(CLOSE_TIMEOUT_MS);
      report(stats, start, to);
    }
  } finally {
    await store.close();
  }
}

/** Where to go on; undefined when nothing of the range is missing. */
function firstMissing({ committedSlot }: Store, from: number, to: number): number | undefined {
  if (committedSlot >= to) return undefined;
  if (committedSlot > 0 && from > committedSlot + 1) {
    throw new CommandMisuse(`the store ends at slot ${committedSlot}: a range that leaves a hole after it is refused`);
  }
  return Math.max(from, committedSlot + 1);
}

function readSlot(text: string | undefined, option: string): number {
  if (text === undefined || !/^\d{1,10}$/.test(text)) throw new CommandMisuse(`${option} needs a slot\n\n${usage}`);
  return Number(text);
}

function report(stats: IngestStats, from: number, to: number): void {
  const { headSlot, blocks, rows } = stats.snapshot();
  const done = Math.max(0, headSlot - from + 1);
  const percent = ((done / (to - from + 1)) * 100).toFixed(1);
  process.stderr.write(`${percent} %  slot ${headSlot} of ${to}  ${blocks} blocks  ${rows} rows\n`);
}
