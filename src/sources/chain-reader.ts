import type { Block } from '../chain/block.ts';
import type { Clock } from '../kernel/clock.ts';
import { POLL_MS } from './block-fetcher.ts';
import { createChainLinks, type HeldHash } from './chain-links.ts';
import { createAheadBudget, fetchAhead } from './fetch-ahead.ts';
import { LinkedNode } from './linked-node.ts';
import { prunedReason } from './node-history.ts';
import type { RpcNode } from './rpc-node.ts';

/** The answer about some slots. Every slot of a range is in exactly one step, in slot order. */
export type RangeStep =
  | { readonly kind: 'block'; readonly block: Block }
  /** The chain has no block there, as the parent links around it show. */
  | { readonly kind: 'skipped'; readonly first: number; readonly last: number }
  /** Nobody can say, or there is a block that the node does not give. `reason` is for people. */
  | { readonly kind: 'unavailable'; readonly first: number; readonly last: number; readonly reason: string };

/**
 * Reads a chain forward from a slot. What a node's lists leave out is believed
 * only when the next block's parent link agrees; slots behind the newest block
 * read are not settled before there is one.
 */
export interface ChainReader {
  /** The oldest slot that no step has told of yet. */
  readonly next: number;
  /** Steps of `first` to `last`, as far as their blocks settle them. */
  read(first: number, last: number): AsyncGenerator<RangeStep>;
  /** Settles what is older than the node's history, up to `last` at most. */
  passPruned(last: number): AsyncGenerator<RangeStep>;
  /** Settles what is left up to `last`, by the first block after it. */
  close(last: number): AsyncGenerator<RangeStep>;
  /** Gives up what is older than a slot, untold. */
  skipTo(slot: number): void;
}

/** Times the slots between a block and what came before it are asked for, when the parent link says that there is one. */
const MAX_FILL_ROUNDS = 3;
/** A gap of more slots is asked for slot by slot only when its last block can be had. */
const MAX_BLIND_GAP_SLOTS = 256;
/** Slots after a range in which a block is looked for that tells of the range's end. */
const LOOK_AHEAD_SLOTS = 512;
/** Slots among them that are asked for one by one. */
const LOOK_AHEAD_CALLS = 16;
const UNTOLD_PARENT = 'a later block names a parent there that the node does not give';
const NO_LATER_BLOCK = 'no later block is confirmed yet that would tell';

export interface ChainReaderTools {
  readonly node: RpcNode;
  readonly clock: Clock;
  /** Of blocks from before the start. */
  readonly heldHash?: HeldHash | undefined;
}

export function createChainReader(tools: ChainReaderTools, signal: AbortSignal, start: number): ChainReader {
  const { node, clock } = tools;
  const links = createChainLinks(tools.heldHash);
  const linked = new LinkedNode({ node, links, clock, signal });
  const budget = createAheadBudget();
  /** Reasons why slots that are not settled yet could not be had. */
  const reasons = new Map<number, string>();
  let next = start;

  function* skippedTo(last: number): Generator<RangeStep> {
    if (next > last) return;
    yield { kind: 'skipped', first: next, last };
    settle(last);
  }

  function* unavailableTo(last: number, fallback: string): Generator<RangeStep> {
    if (next > last) return;
    const slot = [...reasons.keys()].find((each) => each <= last);
    const reason = slot === undefined ? fallback : reasons.get(slot)!;
    yield { kind: 'unavailable', first: next, last, reason };
    settle(last);
  }

  function settle(last: number): void {
    next = last + 1;
    for (const slot of reasons.keys()) if (slot < next) reasons.delete(slot);
  }

  /** Blocks of the slots in turn; what a block's parent link misses is left to `mend`, which says whether to go on. */
  async function* take(
    slots: readonly number[],
    mend: (parentSlot: number) => AsyncGenerator<RangeStep, boolean>,
  ): AsyncGenerator<RangeStep> {
    for await (const { slot, fetched } of fetchAhead(slots, (wanted) => node.fetchBlock(wanted), budget)) {
      if (slot < next) continue;
      const settled = await linked.settle(slot, fetched);
      if (settled.kind === 'lost') reasons.set(slot, settled.reason);
      if (settled.kind !== 'block') continue;
      const { block } = settled;
      if (block.parentSlot >= next && !(yield* mend(block.parentSlot))) return;
      yield* skippedTo(slot - 1);
      links.hold(block);
      yield { kind: 'block', block };
      settle(slot);
    }
  }

  /** Passes over the slots up to `last` that are older than the node's history. */
  async function* passPruned(last: number): AsyncGenerator<RangeStep> {
    const oldest = await node.historyStart(next);
    yield* unavailableTo(Math.min(last, oldest - 1), prunedReason(oldest));
  }

  /** Everything up to a slot that is known to have a block, asked for slot by slot. */
  async function* fill(last: number): AsyncGenerator<RangeStep, boolean> {
    yield* passPruned(last);
    const isBlind = last - next >= MAX_BLIND_GAP_SLOTS && (await linked.findParent(last)) === undefined;
    for (let round = 1; round <= MAX_FILL_ROUNDS && next <= last && !isBlind; round += 1) {
      if (round > 1) await clock.sleep(POLL_MS, signal);
      const isLast = round === MAX_FILL_ROUNDS;
      const wanted = slotsBetween(next, last).filter((slot) => !reasons.has(slot));
      yield* take(wanted, async function* (parentSlot) {
        if (isLast) yield* unavailableTo(parentSlot, UNTOLD_PARENT);
        return isLast;
      });
    }
    yield* unavailableTo(last, UNTOLD_PARENT);
    return true;
  }

  /** The parent's slot of the first block after a slot, undefined when there is none yet. */
  async function parentAfter(last: number): Promise<number | undefined> {
    const head = await node.head();
    if (head <= last) return undefined;
    const end = Math.min(head, last + LOOK_AHEAD_SLOTS);
    const slots = (await node.listBlocks(last + 1, end)) ?? slotsBetween(last + 1, end);
    for (const slot of slots.slice(0, LOOK_AHEAD_CALLS)) {
      let parent = await linked.findParent(slot);
      // The list may have left out the very block: its descendants lead back to it.
      while (parent !== undefined && parent > last) parent = await linked.findParent(parent);
      if (parent !== undefined) return parent;
    }
    return undefined;
  }

  return {
    get next() {
      return next;
    },
    async *read(first, last) {
      const listed = await node.listBlocks(first, last);
      yield* take(listed ?? slotsBetween(Math.max(first, next), last), fill);
    },
    passPruned,
    async *close(last) {
      if (next > last) return;
      const parent = await parentAfter(last);
      if (parent === undefined) yield* unavailableTo(last, NO_LATER_BLOCK);
      else if (parent >= next) yield* fill(parent);
      yield* skippedTo(last);
    },
    skipTo(slot) {
      settle(slot - 1);
    },
  };
}

function slotsBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
}
