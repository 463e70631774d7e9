import { createRandom, type Random } from '../../src/simulator/random.ts';
import { status } from '../support/geyser-server.ts';

/** Troubles between the service and the source of its blocks. Slots are offsets, as in the whole plan. */
export interface SourceAdversity {
  /** Source of live blocks. Holes are filled by RPC either way. */
  readonly source: 'yellowstone' | 'rpc';
  /** Slots of the chain that were there before the service: their tokens are traded on, and nobody gives it their creations. */
  readonly olderSlots: number;
  /** Words with which a server says that it does not replay a start. */
  readonly refusal: StartRefusal;
  /** Slots from which on a stream gives statuses and pings, and no block any more. */
  readonly zombies: readonly number[];
  /** Slots whose block ends each stream that comes to it, for its size. */
  readonly oversized: readonly Oversized[];
  /** Slots whose block, or a status beside it, has a number that cannot be. */
  readonly impossible: readonly Impossible[];
  /** Refusals of what was given before. */
  readonly passing: readonly PassingRefusal[];
}

export interface Oversized {
  readonly at: number;
  /** The server says that it is the size. */
  readonly told: boolean;
}

export interface Impossible {
  readonly at: number;
  readonly what: 'status' | 'parent' | 'transactionCount';
}

/** From a slot on, so many calls. */
export interface PassingRefusal {
  readonly at: number;
  readonly by: 'stream' | 'rpc';
  readonly how: 'UNIMPLEMENTED' | 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'INVALID_ARGUMENT';
  readonly calls: number;
}

interface Words {
  readonly code: status;
  readonly text: (slot: number, oldest: number) => string;
}

/** As servers in the field say it. `nothing`: the start is taken, slots move, and no block comes. */
const START_REFUSALS = {
  broadcast: {
    code: status.OUT_OF_RANGE,
    text: (slot, oldest) => `broadcast from ${slot} is not available, last available: ${oldest}`,
  },
  impossible: { code: status.INVALID_ARGUMENT, text: () => 'blocks are not possible to replay' },
  position: { code: status.INVALID_ARGUMENT, text: (slot) => `failed to get replay position for slot ${slot}` },
  named: {
    code: status.INVALID_ARGUMENT,
    text: (slot, oldest) => `failed to get replay position for slot ${slot}; first available: ${oldest}`,
  },
  processedOnly: {
    code: status.INVALID_ARGUMENT,
    text: () => 'replay `from_slot` available only for `processed` commitment',
  },
  dataLoss: { code: status.DATA_LOSS, text: (slot) => `replay from ${slot} is not available` },
  internal: { code: status.INTERNAL, text: () => 'failed to get replay response' },
  notAvailable: { code: status.INTERNAL, text: (slot) => `replay from ${slot} is not available` },
  nothing: undefined,
} as const satisfies Readonly<Record<string, Words | undefined>>;

export type StartRefusal = keyof typeof START_REFUSALS;
export const ALL_START_REFUSALS = Object.keys(START_REFUSALS) as readonly StartRefusal[];

/** Words of a server that does not replay `slot`; undefined where it says nothing. */
export function wordsOfRefusal(refusal: StartRefusal, slot: number, oldest: number) {
  const words: Words | undefined = START_REFUSALS[refusal];
  return words && { code: words.code, text: words.text(slot, oldest) };
}

export const KIND_SOURCES: SourceAdversity = {
  source: 'yellowstone',
  olderSlots: 0,
  refusal: 'broadcast',
  zombies: [],
  oversized: [],
  impossible: [],
  passing: [],
};

/** Behind the first commit of a calm run. */
const EARLY_SLOTS = 16;
const MAX_OLDER_SLOTS = 60;
const MAX_REFUSED_CALLS = 12;

/**
 * Drawn from a stream of its own: what else a seed decides stays as it is. `steady`
 * are slots whose block has to come on the stream, whatever else does.
 */
export function planSources(seed: string, slots: number, steady: ReadonlySet<number>): SourceAdversity {
  const random = createRandom(`senders of blocks/${seed}`);
  const later = (share: number) => some(random, slots, share).filter((at) => !steady.has(at));
  return {
    source: random.chance(0.2) ? 'rpc' : 'yellowstone',
    olderSlots: random.chance(0.3) ? random.between(10, MAX_OLDER_SLOTS) : 0,
    refusal: random.chance(0.4) ? 'broadcast' : random.pick(ALL_START_REFUSALS),
    zombies: random.chance(0.15) ? later(0.02).slice(0, 1) : [],
    oversized: later(random.pick([0, 0, 0.02])).map((at) => ({ at, told: random.chance(0.7) })),
    impossible: later(random.pick([0, 0.03])).map((at) => ({
      at,
      what: random.pick(['status', 'parent', 'transactionCount']),
    })),
    passing: some(random, slots, random.pick([0, 0, 0.02])).map((at) => ({
      at,
      by: random.pick(['stream', 'rpc']),
      how: random.pick(['UNIMPLEMENTED', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'INVALID_ARGUMENT']),
      calls: random.between(1, MAX_REFUSED_CALLS),
    })),
  };
}

function some(random: Random, slots: number, share: number): number[] {
  const found: number[] = [];
  for (let at = EARLY_SLOTS; at < slots; at += 1) if (random.chance(share)) found.push(at);
  return found;
}
