import { readBatch } from '../../books/mint-rows.ts';
import { createUnsettledRows } from '../../books/unsettled-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { Feed } from '../../feed/feed.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { MarketReads } from './list-reads.ts';
import { type ListedRowsDeps, openListedRows } from './listed-rows.ts';
import { type ScreenValues, screenValues } from './screen-rules.ts';

/** Tokens of one read: what it decodes takes milliseconds, and nobody else has their turn meanwhile. */
const READ_TOGETHER = 1_000;
/** Rows that are opened together. */
const OPENED_TOGETHER = 500;

export type ValuesByMint = ReadonlyMap<Address, ScreenValues>;

/**
 * What filters of lists are about, of many tokens, kept in memory until something happens to them: most tokens never
 * trade again. Of those that something happened to since the store was written, their rows in memory tell.
 */
export interface ScreenedTokens {
  /** As of the newest block; undefined when that cannot be said, because blocks came meanwhile or too late. */
  atHead(mints: readonly Address[]): Promise<ValuesByMint | undefined>;
  /** As of a slot that the store answers for. */
  atMark(mints: readonly Address[], mark: number): Promise<ValuesByMint>;
  close(): void;
}

export interface ScreenedTokensDeps extends ListedRowsDeps {
  readonly reads: Pick<MarketReads, 'listScreened'>;
  readonly feed: Feed;
  /** Tokens whose values are kept. */
  readonly capacity: number;
}

export function createScreenedTokens(deps: ScreenedTokensDeps): ScreenedTokens {
  const { shelf, feed, reads, capacity } = deps;
  const kept = createBoundedMap<Address, ScreenValues>(Math.max(1, capacity));
  const unsettled = createUnsettledRows<Address | ''>(feed);
  /** Of each read under way the tokens that something happened to meanwhile. */
  const underWay = new Set<Set<Address | ''>>();
  /** Whom the blocks behind a slot moved, as long as none comes or goes: a page asks for it forty times. */
  let held: { readonly slot: number; readonly mints: ReadonlySet<Address | ''> } | undefined;

  function forget(mint: Address | ''): void {
    if (mint !== '') kept.delete(mint);
    for (const moved of underWay) moved.add(mint);
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      held = undefined;
      const isLate = unsettled.isLate(batch);
      for (const mint of readBatch(batch).keys()) {
        if (isLate) unsettled.note(mint, batch);
        forget(mint);
      }
    },
    withdrawn(batch) {
      held = undefined;
      unsettled.withdrawn();
      for (const mint of readBatch(batch).keys()) forget(mint);
    },
    changed(mints) {
      for (const mint of mints) forget(mint);
    },
  });

  /** Tokens of blocks that the store does not answer for at a slot. */
  function movedSince(slot: number): ReadonlySet<Address | ''> {
    if (held?.slot !== slot) {
      held = { slot, mints: new Set(feed.since(slot).flatMap((batch) => [...readBatch(batch).keys()])) };
    }
    return held.mints;
  }

  /** Keeps what is read of tokens that nothing happens to meanwhile, and nothing has since the slot that it is read at. */
  async function keeping<T>(
    { mints, slot }: { readonly mints: readonly Address[]; readonly slot: number },
    read: (keep: (mint: Address, values: ScreenValues) => void) => Promise<T>,
  ): Promise<T> {
    const before = movedSince(slot);
    const moved = new Set<Address | ''>(mints.filter(unsettled.has));
    // Whom the blocks between an earlier slot and what the store answers for now moved, nobody can tell any more.
    const mayKeep = capacity > 0 && slot >= feed.committedSlot;
    underWay.add(moved);
    try {
      return await read((mint, values) => {
        if (mayKeep && !before.has(mint) && !moved.has(mint)) kept.set(mint, values);
      });
    } finally {
      underWay.delete(moved);
    }
  }

  function readStored(mints: readonly Address[], mark: number): Promise<Map<Address, ScreenValues>> {
    return keeping({ mints, slot: mark }, async (keep) => {
      const values = new Map<Address, ScreenValues>();
      for (let at = 0; at < mints.length; at += READ_TOGETHER) {
        for (const token of await reads.listScreened(mints.slice(at, at + READ_TOGETHER), mark)) {
          const own = screenValues(token);
          values.set(token.mint, own);
          keep(token.mint, own);
        }
      }
      return values;
    });
  }

  /** Out of rows that are kept up to date; false when they do not stand at the newest block. */
  async function openRows(mints: readonly Address[], values: Map<Address, ScreenValues>): Promise<boolean> {
    return keeping({ mints, slot: Math.max(feed.headSlot, feed.committedSlot) }, async (keep) => {
      for (let at = 0; at < mints.length; at += OPENED_TOGETHER) {
        const rows = await openListedRows(deps, mints.slice(at, at + OPENED_TOGETHER));
        if (rows === undefined || rows.slot < Math.max(feed.headSlot, feed.committedSlot)) return false;
        for (const token of rows.tokens) {
          const own = screenValues(token);
          values.set(token.mint, own);
          keep(token.mint, own);
        }
      }
      return true;
    });
  }

  return {
    async atHead(mints) {
      const values = new Map<Address, ScreenValues>();
      const [near, far]: [Address[], Address[]] = [[], []];
      const mark = feed.committedSlot;
      let moved: ReadonlySet<Address | ''> | undefined;
      for (const mint of mints) {
        const known = kept.get(mint);
        if (known !== undefined) {
          values.set(mint, known);
          continue;
        }
        moved ??= movedSince(mark);
        const isNear = moved.has(mint) || shelf.bodies(mint) !== undefined || unsettled.has(mint);
        (isNear ? near : far).push(mint);
      }
      if (far.length > 0) for (const [mint, own] of await readStored(far, mark)) values.set(mint, own);
      if (near.length > 0 && !(await openRows(near, values))) return undefined;
      return values;
    },
    async atMark(mints, mark) {
      const moved = feed.committedSlot === mark ? movedSince(mark) : undefined;
      const values = new Map<Address, ScreenValues>();
      const unknown = mints.filter((mint) => {
        const known = moved === undefined || moved.has(mint) || unsettled.has(mint) ? undefined : kept.get(mint);
        if (known !== undefined) values.set(mint, known);
        return known === undefined;
      });
      for (const [mint, own] of await readStored(unknown, mark)) values.set(mint, own);
      return values;
    },
    close() {
      unsubscribe();
      kept.clear();
    },
  };
}
