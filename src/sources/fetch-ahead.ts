import type { FetchedBlock } from './block-fetcher.ts';

/** Blocks that were asked for before their turn. */
export interface Ahead {
  readonly blocks: number;
  /** Of them, those that have not come yet. */
  readonly pending: number;
  /** Of those that have come. */
  readonly bytes: number;
}

/** The number of blocks to ask for ahead, learned from the sizes of those that came. */
export interface AheadBudget {
  /** True when there is room for one more. */
  allows(ahead: Ahead): boolean;
  /** A block came that had so many bytes. */
  learn(bytes: number): void;
}

/** Blocks asked for ahead of their turn. */
const MAX_AHEAD_BLOCKS = 32;
/** Bytes of answers held ahead; read as objects they take about three times as much. */
const MAX_AHEAD_BYTES = 32 * 1024 ** 2;
/** Of a block, before the first has come. */
const FIRST_GUESS_BYTES = 6 * 1024 ** 2;
/** Share of the typical size that is kept with each smaller block. */
const FORGETTING = 0.9;

export function createAheadBudget(maxBlocks = MAX_AHEAD_BLOCKS, maxBytes = MAX_AHEAD_BYTES): AheadBudget {
  let typicalBytes = FIRST_GUESS_BYTES;
  return {
    allows({ blocks, pending, bytes }) {
      return blocks < maxBlocks && bytes + (pending + 1) * typicalBytes <= maxBytes;
    },
    learn(bytes) {
      typicalBytes = Math.max(bytes, typicalBytes * FORGETTING);
    },
  };
}

export interface FetchedSlot {
  readonly slot: number;
  readonly fetched: FetchedBlock;
}

/** Fetches slots side by side and gives them in the order asked for, as far ahead as the budget allows. */
export async function* fetchAhead(
  slots: readonly number[],
  fetch: (slot: number) => Promise<FetchedBlock>,
  budget: AheadBudget,
): AsyncGenerator<FetchedSlot> {
  const ahead: { readonly slot: number; readonly fetched: Promise<FetchedBlock>; bytes: number }[] = [];
  let pending = 0;
  let heldBytes = 0;
  let place = 0;
  let done = false;

  // The one whose turn it is may always be asked for.
  const hasRoom = () => ahead.length === 0 || budget.allows({ blocks: ahead.length, pending, bytes: heldBytes });
  const fill = () => {
    while (!done && place < slots.length && hasRoom()) {
      const slot = slots[place]!;
      place += 1;
      pending += 1;
      const fetched = fetch(slot);
      const entry = { slot, fetched, bytes: 0 };
      ahead.push(entry);
      // The first failure is thrown in its turn; the others must not count as unhandled.
      fetched.then(
        (came) => {
          pending -= 1;
          if (came.kind !== 'block') return;
          entry.bytes = came.bytes;
          heldBytes += came.bytes;
          budget.learn(came.bytes);
          fill();
        },
        () => {},
      );
    }
  };

  try {
    for (fill(); ahead.length > 0; fill()) {
      const { slot, fetched } = ahead[0]!;
      const came = await fetched;
      heldBytes -= ahead.shift()!.bytes;
      yield { slot, fetched: came };
    }
  } finally {
    done = true;
  }
}
