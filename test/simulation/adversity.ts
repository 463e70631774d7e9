import { createRandom, type Random } from '../../src/simulator/random.ts';
import type { Commitment } from '../../src/sources/source.ts';
import { planSources, type SourceAdversity } from './source-adversity.ts';
import { planTakeovers, type Takeover } from './takeover-plan.ts';

/**
 * Everything that goes wrong in one run, decided before it begins by its seed
 * alone. Slots are offsets from the chain's first; what is said of the n-th call
 * or connection holds whenever that comes.
 */
export interface AdversityPlan {
  readonly seed: string;
  readonly commitment: Commitment;
  /** Slots with trouble. The chain goes on behind them, in peace, until all is settled. */
  readonly slots: number;
  readonly chain: ChainAdversity;
  readonly stream: StreamAdversity;
  readonly rpc: RpcAdversity;
  readonly restarts: readonly Restart[];
  readonly takeovers: readonly Takeover[];
  /** Slots at which the store cannot be reached for a while. */
  readonly storeOutages: readonly StoreOutage[];
  readonly sources: SourceAdversity;
}

export interface ChainAdversity {
  /** Slots without a block on the chain. Some are taken by orphans. */
  readonly skipped: readonly number[];
  readonly orphans: readonly Orphan[];
  /** Slots whose leader made two blocks: another one is processed before the chain's. */
  readonly twins: readonly Twin[];
  /** Skipped slots that nodes call dead without ever having had a block. */
  readonly dead: readonly number[];
  /** Slots from a block to its confirmation, drawn between these. */
  readonly confirmAfter: readonly [low: number, high: number];
  /** Slots whose confirmation is never told: that of a later block tells it as well. */
  readonly untold: readonly number[];
}

/** A processed block that does not stay on the chain. */
export interface Orphan {
  readonly at: number;
  /** Its parent: an orphan, or a block of the chain. */
  readonly parent: number;
  /** Slots it comes late. */
  readonly delay: number;
  /** Nodes call its slot dead in the end, instead of saying no more of it. */
  readonly dead: boolean;
}

export interface Twin {
  readonly at: number;
  /** The first block's slot is called dead before the second comes. */
  readonly dead: boolean;
}

export interface StreamAdversity {
  /** Blocks that never come on any stream. */
  readonly omitted: readonly number[];
  /** Blocks that come again, so many slots later. */
  readonly repeated: readonly { readonly at: number; readonly after: number }[];
  /** Blocks that come after the message behind them. */
  readonly swapped: readonly number[];
  readonly troubles: readonly StreamTrouble[];
  /** Slots that a server keeps for `from_slot`; 0 when it does not support it. */
  readonly replaySlots: number;
}

export type StreamEnd = 'end' | 'UNAVAILABLE' | 'RESOURCE_EXHAUSTED' | 'INTERNAL' | 'severed' | 'garbage' | 'stall';

/** Once, when the stream comes to this slot. */
export interface StreamTrouble {
  readonly at: number;
  readonly how: StreamEnd;
  /** Connections after it that are refused at once. */
  readonly refusals: number;
}

export interface RpcAdversity {
  /** Of the calls, how many are answered wrongly: 0 to below 1. */
  readonly share: number;
  /** Blocks that no node has any more, and that no stream gives: these alone may be missing in the end. */
  readonly pruned: readonly number[];
}

/**
 * Troubles of an answer, or of the block in it: of another fork, emptied, without its list, with a transaction twice.
 */
const RPC_TROUBLES = [
  ...(['limited', 'broken', 'hang', 'null', 'page', 'cut', 'reset', 'behind', 'unhealthy'] as const),
  ...(['unlinked', 'emptied', 'bare', 'repeated'] as const),
];
export type RpcTrouble = (typeof RPC_TROUBLES)[number];

export interface Restart {
  readonly at: number;
  /**
   * `kill` leaves all that is under way where it is. `killInsert` cuts into what is sent to the store next, so that
   * it has half of it; `killAnswer` lets the next insert through and hides that it was.
   */
  readonly how: 'stop' | 'kill' | 'killInsert' | 'killAnswer';
  /** The chain waits for us; else we come back behind it. */
  readonly chainWaits: boolean;
}

export interface StoreOutage {
  readonly at: number;
  /** Unscaled milliseconds. */
  readonly ms: number;
}

/** The first slots are quiet: there must be something in the store to go on from. */
const QUIET_SLOTS = 4;
const MIN_SLOTS = 40;
const MAX_SLOTS = 100;
const MAX_FORK_SLOTS = 5;
const MAX_OUTAGE_MS = 150;
/** Each of them is asked for many times before it is given up. */
const MAX_PRUNED = 2;

export function planAdversity(seed: string): AdversityPlan {
  const random = createRandom(`adversity/${seed}`);
  const slots = random.between(MIN_SLOTS, MAX_SLOTS);
  // Seeds differ in kind, not only in place: some have calm nodes and wild chains, others the reverse.
  const wildness = random.pick([0.3, 1, 2]);
  const chain = planChain(random.fork('chain'), slots, wildness);
  const blocks = range(QUIET_SLOTS, slots).filter((at) => !chain.skipped.includes(at));
  // A second block of a slot is told from the first by coming: those slots' blocks do come.
  const steady = new Set(chain.twins.map(({ at }) => at));
  const omittable = blocks.filter((at) => !steady.has(at));
  const stream = planStream(random.fork('stream'), { slots, wildness, omittable, blocks });
  const rpc = random.fork('rpc');
  const sources = planSources(seed, slots, steady);
  const commitment: Commitment = random.pick(['confirmed', 'processed']);
  return {
    seed,
    // A node gives confirmed blocks alone by RPC.
    commitment: sources.source === 'rpc' ? 'confirmed' : commitment,
    slots,
    chain,
    stream,
    rpc: {
      share: rpc.pick([0, 0.1, 0.3]),
      pruned: rpc.chance(0.15) ? some(rpc, stream.omitted, 0.5).slice(0, MAX_PRUNED) : [],
    },
    restarts: planRestarts(random.fork('restarts'), slots),
    takeovers: planTakeovers(seed, QUIET_SLOTS, slots - 1),
    storeOutages: some(random, range(QUIET_SLOTS, slots), 0.008).map((at) => ({
      at,
      ms: random.between(1, MAX_OUTAGE_MS),
    })),
    sources,
  };
}

/** Draws the trouble of the n-th call, if it has any. */
export function rpcTrouble({ seed, rpc }: AdversityPlan, call: number): RpcTrouble | undefined {
  const random = createRandom(`rpc/${seed}/${call}`);
  return random.chance(rpc.share) ? random.pick(RPC_TROUBLES) : undefined;
}

function planChain(random: Random, slots: number, wildness: number): ChainAdversity {
  const skipped: number[] = [];
  const orphans: Orphan[] = [];
  const twins: Twin[] = [];
  const dead: number[] = [];
  let parent = QUIET_SLOTS - 1;
  for (let at = QUIET_SLOTS; at < slots; at += 1) {
    if (random.chance(0.05 * wildness)) {
      const end = Math.min(slots, at + random.between(1, MAX_FORK_SLOTS));
      skipped.push(...planFork(random, { at, end, parent }, orphans));
      at = end;
    } else if (random.chance(0.03)) {
      skipped.push(at);
      if (random.chance(0.5)) dead.push(at);
    } else if (random.chance(0.02 * wildness)) {
      twins.push({ at, dead: random.chance(0.5) });
    }
    if (skipped.at(-1) !== at) parent = at;
  }
  const low = random.between(1, 3);
  return {
    skipped,
    orphans: thinOut(random.fork('gaps'), orphans),
    twins,
    dead,
    confirmAfter: [low, low + random.between(0, 6)],
    untold: some(random, range(QUIET_SLOTS, slots), 0.05),
  };
}

interface ForkPlace {
  readonly at: number;
  readonly end: number;
  /** The chain's block before it. */
  readonly parent: number;
}

/** Orphans from `at` to before `end`, blocks of the chain between them. Gives the slots that the chain skips. */
function planFork(random: Random, { at, end, parent: root }: ForkPlace, orphans: Orphan[]): number[] {
  const skipped: number[] = [];
  let parent = root;
  let chainParent = root;
  for (let slot = at; slot < end; slot += 1) {
    // The chain's own leader may be the next one already: both branches then grow side by side.
    if (slot > at && random.chance(0.3)) {
      chainParent = slot;
      continue;
    }
    skipped.push(slot);
    // A third branch now and then.
    if (random.chance(0.15)) parent = chainParent;
    orphans.push({ at: slot, parent, delay: random.pick([0, 0, 0, 1, 3]), dead: random.chance(0.3) });
    parent = slot;
  }
  return skipped;
}

/** Some branches begin behind slots that nobody made a block in. */
function thinOut(random: Random, orphans: readonly Orphan[]): Orphan[] {
  const taken = new Map<number, number>();
  const left: Orphan[] = [];
  for (const orphan of orphans) {
    const parent = taken.get(orphan.parent) ?? orphan.parent;
    const isFirst = !left.some(({ at }) => at === parent);
    if (isFirst && random.chance(0.25)) taken.set(orphan.at, parent);
    else left.push({ ...orphan, parent });
  }
  return left;
}

interface StreamScene {
  readonly slots: number;
  readonly wildness: number;
  readonly omittable: readonly number[];
  readonly blocks: readonly number[];
}

function planStream(random: Random, { slots, wildness, omittable, blocks }: StreamScene): StreamAdversity {
  const ends: readonly StreamEnd[] = [
    ...(['end', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'INTERNAL', 'severed', 'garbage', 'stall'] as const),
  ];
  const troubles = some(random, range(1, slots), 0.02 * wildness).map(
    (at): StreamTrouble => ({ at, how: random.pick(ends), refusals: random.pick([0, 0, 1, 3]) }),
  );
  return {
    omitted: some(random, omittable, random.pick([0, 0.02, 0.1])),
    repeated: some(random, blocks, 0.06).map((at) => ({ at, after: random.between(0, 4) })),
    swapped: some(random, blocks, 0.06),
    troubles,
    replaySlots: random.pick([0, 8, 40, 1_000, 1_000, 1_000]),
  };
}

function planRestarts(random: Random, slots: number): Restart[] {
  const count = random.pick([0, 1, 1, 2, 3]);
  const places = Array.from({ length: count }, () => random.between(QUIET_SLOTS, slots - 1)).sort((a, b) => a - b);
  return places.map((at) => ({
    at,
    how: random.pick(['stop', 'kill', 'killInsert', 'killAnswer']),
    chainWaits: random.chance(0.5),
  }));
}

function some<T>(random: Random, from: readonly T[], share: number): T[] {
  return from.filter(() => random.chance(share));
}

/** Whole numbers from `low` to before `high`. */
function range(low: number, high: number): number[] {
  return Array.from({ length: Math.max(0, high - low) }, (_, place) => low + place);
}
