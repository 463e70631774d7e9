import fc from 'fast-check';
import type { Address } from '../../src/chain/address.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import type { MarketReads } from '../../src/features/tokens/list-reads.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import type { WindowReads } from '../../src/market/market-reads.ts';
import { createMemoryMarket } from './memory-market.ts';
import { createMemoryReads } from './memory-reads.ts';
import { createMemoryWindows } from './memory-windows.ts';
import type { BookReads } from './token-books.ts';
import { bornOnce, foldedPositions, worldBatch, worldBlocks } from './token-world.ts';
import type { WorldBlock } from './token-world-rows.ts';

/** An event of a chain whose blocks are not sure yet, or of the store beneath it. */
export type ForkedAction =
  /** The next block of one of the two branches, behind what is held. */
  | { readonly kind: 'publish'; readonly branch: 0 | 1 }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'commit' }
  /** A block of a hole: rows beneath what was committed. */
  | { readonly kind: 'late' }
  /** Questions that are answered while other things happen. */
  | { readonly kind: 'ask' };

export interface ForkedScript {
  readonly branches: readonly [WorldBlock[], WorldBlock[]];
  readonly actions: readonly ForkedAction[];
  /** Turns that a read takes, before and after it looks at the store. */
  readonly delays: readonly number[];
}

const MAX_ACTIONS = 40;
const MAX_DELAY_TURNS = 60;

interface ScriptShape {
  /** Between two slots: with more of it, a script of few blocks takes hours. */
  readonly slotSeconds?: number;
  readonly minActions?: number;
}

export function forkedScripts(
  endTime: number,
  { slotSeconds = 3, minActions = 5 }: ScriptShape = {},
): fc.Arbitrary<ForkedScript> {
  const branch = worldBlocks(endTime, 16, minActions >> 2).map((blocks) =>
    blocks.map((block) => retimed(block, endTime, slotSeconds)),
  );
  const action: fc.Arbitrary<ForkedAction> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('publish'), branch: fc.constantFrom(0, 1) }) },
    { weight: 3, arbitrary: fc.constant<ForkedAction>({ kind: 'withdraw' }) },
    { weight: 2, arbitrary: fc.constant<ForkedAction>({ kind: 'commit' }) },
    { weight: 2, arbitrary: fc.constant<ForkedAction>({ kind: 'late' }) },
    { weight: 3, arbitrary: fc.constant<ForkedAction>({ kind: 'ask' }) },
  );
  return fc.record({
    branches: fc.tuple(branch, branch),
    actions: fc.array(action, { minLength: minActions, maxLength: MAX_ACTIONS }),
    delays: fc.array(fc.nat(MAX_DELAY_TURNS), { minLength: 1, maxLength: 20 }),
  });
}

/** A feed with a store beneath it that blocks come to, go from, and are slipped under. */
export function createForkedWorld({ branches, delays }: Pick<ForkedScript, 'branches' | 'delays'>) {
  const stored = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 100 });
  const unused = branches.map((blocks) => [...blocks]);
  const held: WorldBlock[] = [];
  /** Blocks that came in order: what was slipped beneath them is not in any position. */
  const live: WorldBlock[] = [];
  let delay = 0;

  const nextDelay = () => turns(delays[delay++ % delays.length]!);
  const market = createMemoryMarket(() => stored.blocks, stored);

  function withoutBorn(block: WorldBlock): WorldBlock {
    const born = new Set([...stored.blocks, ...held].flatMap(({ creations }) => creations.map(({ mint }) => mint)));
    const creations = bornOnce([block]).flatMap((once) => once.creations);
    return { ...block, creations: creations.filter(({ mint }) => !born.has(mint)) };
  }

  function withPositions(block: WorldBlock): WorldBlock {
    const positions = new Map<string, PositionState>();
    for (const each of live) foldedPositions(each, positions);
    return { ...block, positions: foldedPositions(block, positions) };
  }

  const acts: Record<Exclude<ForkedAction['kind'], 'ask' | 'publish'>, () => void> = {
    withdraw() {
      const block = held.pop();
      if (block === undefined) return;
      live.pop();
      feed.withdraw(block.slot);
    },
    commit() {
      const block = held.shift();
      if (block === undefined) return;
      stored.add(block);
      feed.commit(block.slot, 1);
    },
    late() {
      const blocks = unused.flat().filter(({ slot }) => slot < feed.committedSlot && !taken(slot));
      const [block] = blocks;
      if (block === undefined) return;
      for (const branch of unused) if (branch.includes(block)) branch.splice(branch.indexOf(block), 1);
      const late = { ...withoutBorn(block), positions: [] };
      stored.add(late);
      feed.changed([...mintsOf(late)], { first: late.slot, last: late.slot });
    },
  };

  function taken(slot: number): boolean {
    return [...stored.blocks, ...held].some((block) => block.slot === slot);
  }

  return {
    feed,
    /** The store, as slow as the script says. */
    reads: slowReads(stored, nextDelay),
    market: slowReads<MarketReads>(market, nextDelay),
    /** What windows read, of a store as slow. */
    windows: slowWindows(
      createMemoryWindows(() => stored.blocks),
      nextDelay,
    ),
    stored: () => stored.blocks,
    act(action: Exclude<ForkedAction, { kind: 'ask' }>): void {
      if (action.kind !== 'publish') {
        acts[action.kind]();
        return;
      }
      const branch = unused[action.branch]!;
      const at = branch.findIndex(({ slot }) => slot > feed.headSlot);
      if (at < 0) return;
      const block = withPositions(withoutBorn(branch.splice(at, 1)[0]!));
      held.push(block);
      live.push(block);
      feed.publish(worldBatch(block, true));
    },
    commitAll(): void {
      while (held.length > 0) acts.commit();
    },
    /** A store that has all that is on the chain now, with nothing in between: what answers are held against. */
    settled() {
      const reads = createMemoryReads();
      for (const block of [...stored.blocks, ...held]) reads.add(block);
      const settledFeed = createFeed({ maxHeldBatches: 1 });
      settledFeed.commit(feed.headSlot, 0);
      return {
        reads,
        feed: settledFeed,
        market: createMemoryMarket(() => reads.blocks, reads),
        windows: createMemoryWindows(() => reads.blocks),
      };
    },
  };
}

/** Waits for so many turns of promises: other things happen meanwhile, in an order that repeats. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await undefined;
}

function slowReads<T extends BookReads | MarketReads>(reads: T, delay: () => Promise<void>): T {
  const slow = Object.entries(reads).flatMap(([name, read]) => {
    if (typeof read !== 'function') return [];
    const slowly = async (...question: unknown[]) => {
      await delay();
      const answer = await (read as (...question: unknown[]) => Promise<unknown>)(...question);
      await delay();
      return answer;
    };
    return [[name, slowly]];
  });
  return Object.fromEntries(slow) as T;
}

function mintsOf(block: WorldBlock): Set<Address> {
  const rows = [
    ...block.creations,
    ...block.completions,
    ...block.graduations,
    ...block.creatorChanges,
    ...block.swaps,
    ...block.attempts,
    ...block.transfers,
  ];
  return new Set(rows.map(({ mint }) => mint as Address));
}

/** With a time that its slot decides, so that blocks of two branches can follow each other. */
function retimed(block: WorldBlock, endTime: number, slotSeconds: number): WorldBlock {
  const time = endTime - slotSeconds * (400_000_050 - block.slot);
  const moved = <T extends { readonly time: number }>(rows: readonly T[]): T[] => rows.map((row) => ({ ...row, time }));
  return {
    ...block,
    time,
    creations: moved(block.creations),
    completions: moved(block.completions),
    graduations: moved(block.graduations),
    creatorChanges: moved(block.creatorChanges),
    swaps: moved(block.swaps),
    attempts: moved(block.attempts),
    transfers: moved(block.transfers),
  };
}

/** Answers that come in pieces are those of the moment of their last one. */
function slowWindows(reads: WindowReads, delay: () => Promise<void>): WindowReads {
  return {
    async slots(...question) {
      await delay();
      return reads.slots(...question);
    },
    async newest(...question) {
      await delay();
      return reads.newest(...question);
    },
    async ahead(...question) {
      await delay();
      return reads.ahead(...question);
    },
    async minutes(...question) {
      await delay();
      return reads.minutes(...question);
    },
    async prices(...question) {
      await delay();
      return reads.prices(...question);
    },
    async *swaps(...question) {
      await delay();
      yield* reads.swaps(...question);
      await delay();
    },
    async *cells(...question) {
      await delay();
      yield* reads.cells(...question);
      await delay();
    },
  };
}
