import type { Block } from '../../src/chain/block.ts';
import type { SlotStatus } from '../../src/chain/geyser/geyser-protobuf.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import type { SlotEvent } from '../../src/sources/slot-state.ts';

export const FIRST_SLOT = 1_000;
/** Canonical blocks whose fate is in doubt, and those behind them that settle it. */
const BLOCKS = 40;
const SETTLING_BLOCKS = 30;

export interface HistoryOptions {
  readonly seed: number;
  /** Blocks come once they are confirmed and of no other fork; otherwise all of them as they are made. */
  readonly commitment: 'confirmed' | 'processed';
  /** Share of blocks and of statuses that never arrive. */
  readonly lost: number;
  /**
   * Blocks tell which version of their parent they stand on. Where nothing is
   * lost they and their confirmations may then come before that version does.
   */
  readonly linked?: boolean;
}

/** One block of the tree; `canonical` ones make up the chain. */
export interface TreeBlock {
  readonly block: Block;
  readonly canonical: boolean;
  /** Its slot is declared dead while this version of it counts. */
  readonly dies: boolean;
}

export interface SlotHistory {
  readonly tree: readonly TreeBlock[];
  readonly events: readonly SlotEvent[];
}

/** End of the blockhash of a version that another one replaces. */
const WRONG = '-wrong';

interface Timed {
  readonly at: number;
  readonly event: SlotEvent;
}

/** A tree of forks and what a stream tells of it: late, twice, in any order, or not at all. Time is counted in slots. */
export function makeSlotHistory({ seed, commitment, lost, linked = false }: HistoryOptions): SlotHistory {
  const random = createRandom(`slots/${seed}`);
  const tree = growTree(random).map((each) => (linked ? withLink(each) : each));
  const lastUncertain = tree.filter(({ canonical }) => canonical).at(-SETTLING_BLOCKS)!.block.slot;
  const timed: Timed[] = [];
  const pace = { notBefore: 0, wrongSlot: 0, replacedAt: 0, linkedAt: 0 };
  const loose = linked && lost === 0;
  const tell = (event: SlotEvent, at: number, repeats = true): boolean => {
    if (eventSlot(event) < lastUncertain && random.chance(lost)) return false;
    timed.push({ at, event });
    if (repeats && random.chance(0.2)) timed.push({ at: at + between(random, 0, 6), event });
    return true;
  };
  for (const each of tree) {
    if (commitment === 'confirmed' && !each.canonical) continue;
    tellBlock(each, { random, tell, pace, loose, delay: commitment === 'confirmed' ? 3 : 0 });
  }
  timed.sort((a, b) => a.at - b.at);
  return { tree, events: timed.map(({ event }) => event) };
}

interface Telling {
  readonly random: Random;
  readonly tell: (event: SlotEvent, at: number, repeats?: boolean) => boolean;
  /** Nothing of the chain comes before the right version of a slot that had a wrong one: its children need it. */
  readonly pace: {
    notBefore: number;
    /** The newest slot with a wrong version. */
    wrongSlot: number;
    /** Times at which the newest right version came, and the rest of the chain up to here. */
    replacedAt: number;
    linkedAt: number;
  };
  /** Children may come before that all the same, and be confirmed: they name the version they stand on. */
  readonly loose: boolean;
  readonly delay: number;
}

function tellBlock({ block, canonical, dies }: TreeBlock, { random, tell, pace, loose, delay }: Telling): void {
  const { slot, parentSlot: parent } = block;
  const status = (name: SlotStatus, at: number, repeats = true) =>
    tell({ kind: 'status', slot, parent: random.chance(0.7) ? parent : undefined, status: name }, at, repeats);
  const isReplacement = canonical && pace.wrongSlot === slot;
  const earliest = canonical && (isReplacement || !loose) ? Math.max(slot, pace.notBefore) : slot;
  const at = earliest + delay + between(random, 0, 2.5);
  tell({ kind: 'block', block, bytes: 1 }, at);
  status('created_bank', slot);
  status('processed', earliest + between(random, 0, 3));
  if (canonical) {
    // Nothing but their order tells statuses of two versions apart.
    const from = isReplacement ? at : loose ? Math.max(at, pace.linkedAt) : earliest;
    // Links are of use when the blocks are here that have them.
    pace.linkedAt = Math.max(pace.linkedAt, isReplacement ? pace.replacedAt : at);
    if (isReplacement) pace.replacedAt = pace.notBefore = at;
    status('confirmed', from + between(random, 1.5, 5));
    status('finalized', from + between(random, 8, 11));
  }
  if (!dies) return;
  const diesAt = at + between(random, 0, 3);
  if (block.blockhash.endsWith(WRONG)) {
    // Its death must be heard: it would be taken for the one that is confirmed if that one were lost.
    pace.notBefore = Math.max(pace.notBefore, diesAt);
    pace.wrongSlot = slot;
    while (!status('dead', diesAt, false));
  } else status('dead', random.chance(0.1) ? slot : diesAt);
}

function growTree(random: Random): TreeBlock[] {
  const tree: TreeBlock[] = [];
  let parent = FIRST_SLOT - 1;
  for (let height = 0; height < BLOCKS + SETTLING_BLOCKS; height += 1) {
    const isSettling = height >= BLOCKS;
    const slot = parent + 1 + (isSettling ? 0 : skippedSlots(random));
    if (!isSettling) tree.push(...growForks(random, parent, slot, tree));
    if (!isSettling && random.chance(0.05)) {
      tree.push({ block: makeBlock(slot, parent, `${slot}${WRONG}`), canonical: false, dies: true });
    }
    tree.push({ block: makeBlock(slot, parent, `${slot}`), canonical: true, dies: false });
    parent = slot;
  }
  return tree;
}

function between(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}

function skippedSlots(random: Random): number {
  return random.chance(0.3) ? random.between(1, 4) : 0;
}

/** Blocks of the slots that the chain skips: on its last block, on each other, or on something older. */
function growForks(random: Random, parent: number, next: number, tree: readonly TreeBlock[]): TreeBlock[] {
  const forks: TreeBlock[] = [];
  for (let slot = parent + 1; slot < next; slot += 1) {
    if (random.chance(0.3)) continue;
    const older = tree.at(-1 - random.between(0, 3))?.block.slot ?? parent;
    const base = random.pick([parent, forks.at(-1)?.block.slot ?? parent, Math.min(older, slot - 1)]);
    forks.push({ block: makeBlock(slot, base, `${slot}`), canonical: false, dies: random.chance(0.4) });
  }
  return forks;
}

export function eventSlot(event: SlotEvent): number {
  if (event.kind === 'block') return event.block.slot;
  return event.kind === 'status' ? event.slot : event.before;
}

/** All children stand on the version that is on the chain, or on the only one. */
function withLink(each: TreeBlock): TreeBlock {
  const { slot, parentSlot, blockhash } = each.block;
  return { ...each, block: makeBlock(slot, parentSlot, blockhash, `${parentSlot}`) };
}

/** An empty block. */
export function makeBlock(slot: number, parentSlot = slot - 1, blockhash = `${slot}`, parentBlockhash?: string): Block {
  return {
    slot,
    parentSlot,
    blockhash,
    parentBlockhash,
    blockTime: null,
    transactions: [],
    transactionCount: 0,
    voteCount: 0,
    whole: true,
  };
}
