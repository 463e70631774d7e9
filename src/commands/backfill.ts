import type { Config } from '../config.ts';
import { deriveFacts } from '../facts/derive.ts';
import { type Backfill, createBackfill } from '../ingest/late/backfill.ts';
import { createDiskPause } from '../ingest/live/disk-pause.ts';
import { openIngestStore } from '../ingest/open-ingest-store.ts';
import { createIngestStats, type IngestStats } from '../ingest/report/stats.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { createLogger, type Logger } from '../kernel/log.ts';
import { createRpcClient, type RpcClient } from '../sources/json-rpc.ts';
import { type RangeStep, readRpcRange } from '../sources/rpc-range.ts';
import type { SlotRange } from '../store/clickhouse/coverage.ts';
import { openStore, type Store } from '../store/clickhouse/store.ts';
import { createDiskGuard, readByteSize } from '../store/clickhouse/write/disk-guard.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';
import { factRules } from './fact-rules.ts';
import { createProgress, durationText, progressText } from './progress.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';
import { needed } from './source-options.ts';
import { chainAt } from './store-chain.ts';
import { chainFolder } from './store-folder.ts';
import { storeOptions } from './store-options.ts';

const usage = `usage: mintscope backfill --from <slot> --to <slot>

Reads the blocks of SOLANA_RPC_URL into the store, both ends included: whatever of the range the store does not have, before,
between or after what it has. Interrupt it when you like: run again with the same range, it goes on where it was. At the end it says
what the node could not give. Ends with 1 when it is interrupted or something could not be had.
The service must not run on the same data folder.
`;

const SHOW_EVERY_MS = 500;
const CLOSE_TIMEOUT_MS = 30_000;
/** A backfill has time, and nothing to do without its node. */
const NODE_WAIT_MS = 3_600_000;
/** Ranges that could not be had are named one by one up to here. */
const MAX_NAMED_RANGES = 20;

export const backfill: Command = { usage, run };

async function run(config: Config, words: readonly string[]): Promise<void> {
  const { values } = readWords(words, { from: { type: 'string' }, to: { type: 'string' } });
  const range = { first: readSlot(values.from, '--from'), last: readSlot(values.to, '--to') };
  if (range.last < range.first) throw new CommandMisuse('--to lies before --from');
  const url = needed(config.solanaRpcUrl, 'SOLANA_RPC_URL');
  const clock = systemClock;
  const line = createProgressLine(process.stderr, clock);
  const log = line.above(createLogger(config.logLevel));
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const chain = await chainAt(url, config, { clock, log, signal: interrupted.signal, waitMs: NODE_WAIT_MS });
  if (chain === undefined) throw new CommandMisuse('the node at SOLANA_RPC_URL does not say which chain it is of');
  const dataDir = chainFolder(config);
  const store = await openStore({ ...storeOptions(config), dataDir, chain, log, clock });
  const stop = AbortSignal.any([interrupted.signal, store.lost]);
  try {
    const client = createRpcClient({ url, clock, log });
    await fillStore({ config, dataDir, store, client, clock, log, line }, range, stop);
    if (store.lost.aborted) throw store.lost.reason;
  } finally {
    await store.close();
  }
}

function readSlot(text: string | undefined, option: string): number {
  if (text === undefined || !/^\d{1,10}$/.test(text)) throw new CommandMisuse(`${option} needs a slot\n\n${usage}`);
  return Number(text);
}

interface Tools {
  readonly config: Config;
  readonly dataDir: string;
  readonly store: Store;
  readonly client: RpcClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly line: ProgressLine;
}

async function fillStore(
  { config, dataDir, store, client, clock, log, line }: Tools,
  range: SlotRange,
  stop: AbortSignal,
): Promise<void> {
  const { minFreeDisk } = config;
  const target = await openIngestStore({ connection: store.connection, dataDir, lease: store.lease }, { clock, log });
  const stats = createIngestStats({ source: 'rpc', committedSlot: target.committedSlot, clock, log });
  const guard = createDiskGuard({
    dataDir,
    client: config.clickhouseUrl === undefined ? undefined : store.client,
    minFreeBytes: readByteSize(minFreeDisk),
    clock,
    log,
  });
  const tools = { client, clock, log, journal: stats.journal, heldHash: target.blockhashAt };
  const rules = factRules(config);
  try {
    const filler = await createBackfill({
      store: target,
      read: (part, signal) => readRpcRange(tools, part, signal),
      stats,
      clock,
      disk: createDiskPause({ guard, stats, clock }),
      derive: (block, journal) => deriveFacts(block, journal, rules),
    });
    const unavailable = await fillRange(filler, range, { line, clock }, stop);
    if (!stop.aborted) await foldAgain(filler, stats, line, stop);
    if (stop.aborted) line.say('interrupted: run again with the same range to go on');
    if (stop.aborted || unavailable.length > 0) process.exitCode = 1;
  } finally {
    await target.close(CLOSE_TIMEOUT_MS);
  }
}

type Unavailable = Extract<RangeStep, { readonly kind: 'unavailable' }>;

/** Fills the range and shows how far it is. Gives what could not be had, which it has said as well. */
async function fillRange(
  filler: Backfill,
  range: SlotRange,
  { line, clock }: { readonly line: ProgressLine; readonly clock: Clock },
  stop: AbortSignal,
): Promise<readonly Unavailable[]> {
  const startedAt = clock.elapsed();
  const slots = range.last - range.first + 1;
  const missingSlots = filler.missing(range).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const progress = createProgress({ slots, done: slots - missingSlots, clock });
  const unavailable: Unavailable[] = [];
  const timer = setInterval(() => line.show(progressText(progress.view())), SHOW_EVERY_MS);
  try {
    await filler.fill(
      range,
      (step) => {
        if (step.kind === 'unavailable') addUnavailable(unavailable, step);
        if (step.kind === 'block') progress.advance(1, 1);
        else progress.advance(step.last - step.first + 1, 0);
      },
      stop,
    );
  } finally {
    clearInterval(timer);
  }
  const { blocks } = progress.view();
  const tookMs = clock.elapsed() - startedAt;
  line.say(`${progressText(progress.view())}\n${blocks} blocks in ${durationText(tookMs)}`);
  for (const text of unavailableLines(unavailable)) line.say(text);
  return unavailable;
}

/** Neighbours for the same reason are one. */
function addUnavailable(all: Unavailable[], step: Unavailable): void {
  const before = all.at(-1);
  if (before?.reason === step.reason && before.last + 1 === step.first)
    all[all.length - 1] = { ...step, first: before.first };
  else all.push(step);
}

/** Bounded, whatever the node lacks. */
function unavailableLines(unavailable: readonly Unavailable[]): string[] {
  if (unavailable.length === 0) return [];
  const slots = unavailable.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const named = unavailable.slice(0, MAX_NAMED_RANGES);
  const more = unavailable.length - named.length;
  return [
    `${slots} slots could not be had:`,
    ...named.map(({ first, last, reason }) => `  ${first === last ? first : `${first} to ${last}`}: ${reason}`),
    ...(more > 0 ? [`  and ${more} more ranges`] : []),
  ];
}

async function foldAgain(filler: Backfill, stats: IngestStats, line: ProgressLine, stop: AbortSignal): Promise<void> {
  const timer = setInterval(() => {
    line.show(`folding positions again: ${stats.snapshot().staleMints} tokens to go`);
  }, SHOW_EVERY_MS);
  try {
    await filler.refold(stop);
  } finally {
    clearInterval(timer);
  }
  const { refoldedMints } = stats.snapshot();
  if (refoldedMints > 0) line.say(`positions of ${refoldedMints} tokens folded again`);
}
