import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import type { Address } from '../../src/chain/address.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { SimulatedBlock } from '../../src/simulator/simulator.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';
import { type Coverage, findRange, missingRanges, type SlotRange } from '../../src/store/clickhouse/coverage.ts';
import { verifyStore } from '../../src/store/clickhouse/verify/verify.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { createBookReads, openTokenBooks } from '../support/token-books.ts';
import { candleDifference } from './candle-truth.ts';
import type { ServiceLife } from './service-life.ts';
import type { SimulatedNode } from './simulated-node.ts';
import {
  batchDifference,
  holdingDifference,
  positionDifference,
  type Served,
  storeDifference,
  viewsOf,
} from './store-truth.ts';

/** All there is at the end of a run, the service still up and at rest. */
export interface EndState extends Served {
  readonly node: SimulatedNode;
  readonly life: ServiceLife;
  /** Of the store, past the service. */
  readonly client: StoreClient;
  readonly coverage: Coverage;
  /** The slot up to which the service first said that all is stored; undefined when that was after all trouble. */
  readonly firstCommit: number | undefined;
  /** Slots whose block nobody could give. */
  readonly pruned: ReadonlySet<number>;
  /** Mints with books, the oldest book first. */
  readonly mints: readonly Address[];
}

const ANSWER_LIMIT = 50;
/** The time of day that both sides answer at, Unix seconds. */
const ANSWERS_AT = 1_794_614_460;

/** The first thing that is not as the chain's truth says, in words; undefined when all of it is. */
export async function endDifference(state: EndState): Promise<string | undefined> {
  const { life, client, node } = state;
  const covered = coverageDifference(state);
  if (covered !== undefined) return covered;
  const blocks = node.chain(state.coverage[0]!.first, node.headSlot).filter(({ slot }) => !state.pruned.has(slot));
  const fed = feedDifference(state, blocks);
  if (fed !== undefined) return fed;
  const answered = await answerDifference(state);
  if (answered !== undefined) return answered;
  await life.stop();
  if (life.fault !== undefined) return `ingest broke when it was stopped: ${String(life.fault)}`;
  const stored = await storeDifference(
    client,
    blocks.map((block) => viewsOf(block, state)),
  );
  if (stored !== undefined) return stored;
  const facts = blocks.map(({ truth }) => truth.facts('decoded'));
  const folded =
    (await positionDifference(client, facts)) ??
    (await holdingDifference(client, facts)) ??
    (await candleDifference(client, facts));
  if (folded !== undefined) return folded;
  const { mismatches } = await verifyStore({ client });
  return mismatches.length === 0 ? undefined : `verify: ${JSON.stringify(mismatches.slice(0, 3))}`;
}

/** Whole from the first slot to the last, but for what nobody could give, and not a slot more or less. */
function coverageDifference({ node, life, coverage, firstCommit, pruned }: EndState): string | undefined {
  const first = coverage[0]!.first;
  const last = coverage.at(-1)!.last;
  if (firstCommit !== undefined && first > firstCommit) return `the store begins at ${first}, too late`;
  if (first < node.oldestSlot || last > node.confirmedSlot) {
    return `coverage goes from ${first} to ${last}, the chain from ${node.oldestSlot} to ${node.confirmedSlot}`;
  }
  const range = { first, last: node.confirmedSlot };
  const lost = [...pruned].filter((slot) => slot >= first);
  const covered = lost.filter((slot) => findRange(coverage, slot) !== undefined);
  if (covered.length > 0) return `coverage says that slots ${covered.join(', ')} are whole, which nobody had`;
  const holes = missingRanges(coverage, range);
  for (const hole of holes) {
    for (let slot = hole.first; slot <= hole.last; slot += 1) {
      const isNear = node.chain(slot, slot + MAX_SKIPPED_SLOTS).some((block) => pruned.has(block.slot));
      if (!isNear) return `slot ${slot} is not covered, and nothing of it was lost`;
    }
  }
  return holesDifference(life, holes);
}

/**
 * The difference between these holes and those that the service tells; undefined when it tells them, and has asked for
 * all of them in vain.
 */
export function holesDifference({ stats }: ServiceLife, holes: readonly SlotRange[]): string | undefined {
  const slots = holes.reduce((sum, hole) => sum + hole.last - hole.first + 1, 0);
  const told = stats.snapshot().holes;
  if (told.count === holes.length && told.slots === slots && told.unavailableSlots >= slots) return undefined;
  return `${holes.length} holes of ${slots} slots are told as ${JSON.stringify(told)}`;
}

/** A lost block leaves in doubt the skipped slots before it, of which there are fewer than this in a row. */
const MAX_SKIPPED_SLOTS = 8;

/**
 * The difference between the chain and the batches that the feed's follower has in the end: true blocks, in order, and
 * word of all that it did not see.
 */
function feedDifference(state: EndState, blocks: readonly SimulatedBlock[]): string | undefined {
  const { mirror } = state.life;
  if (mirror.faults.length > 0) return `feed: ${mirror.faults[0]}`;
  const bySlot = new Map(blocks.map((block) => [block.slot, block]));
  for (const batch of mirror.batches) {
    const block = bySlot.get(batch.lastSlot);
    if (block === undefined) return `feed: slot ${batch.lastSlot} was never withdrawn, and is not on the chain`;
    const difference = batchDifference(batch, viewsOf(block, state));
    if (difference !== undefined) return `feed: ${difference}`;
  }
  const seen = new Set(mirror.batches.map(({ lastSlot }) => lastSlot));
  const firstSeen = mirror.batches[0]?.lastSlot ?? Number.POSITIVE_INFINITY;
  for (const { slot, truth } of blocks) {
    if (slot < firstSeen || seen.has(slot)) continue;
    const untold = truth.facts('decoded').swaps.find(({ mint }) => !mirror.changed.has(mint));
    if (untold !== undefined) return `feed: nobody was told of ${untold.mint}, traded in slot ${slot} beside the feed`;
  }
  return undefined;
}

/** Books that followed the feed against books made of the store now. */
async function answerDifference({ life, client, mints }: EndState): Promise<string | undefined> {
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(life.feed.committedSlot, 0);
  const fresh = openTokenBooks({
    reads: createBookReads(client),
    feed,
    clock: { now: () => ANSWERS_AT * 1_000, elapsed: systemClock.elapsed, sleep: systemClock.sleep },
    limits: DEFAULT_BOOK_LIMITS,
  });
  // Every answer takes some hundred reads: of the book that has seen most, and of the newest.
  for (const mint of new Set([...mints.slice(0, 1), ...mints.slice(-1)])) {
    const hot = await everyAnswer(life.books, mint, ANSWER_LIMIT, ANSWERS_AT);
    const cold = await everyAnswer(fresh, mint, ANSWER_LIMIT, ANSWERS_AT);
    for (const [question, answer] of Object.entries(cold)) {
      if (hot[question] !== answer) return `${question} of ${mint}\n    book  ${hot[question]}\n    store ${answer}`;
    }
  }
  fresh.close();
  return undefined;
}
