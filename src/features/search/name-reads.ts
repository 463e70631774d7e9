import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { equity } from '../../programs/registry/index.ts';
import type { NamedToken } from '../../search/name-table.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { byMint } from '../../token/by-mint.ts';
import { readFactsOfMints } from '../../token/mint-facts-reads.ts';
import { slotOf } from '../../token/packed-place.ts';
import { shownName } from '../../token/shown-name.ts';
import { isKnown, nameOf, type TokenState } from '../../token/state.ts';
import { marketRank } from './market-rules.ts';

const NAME_LAYOUT = {
  name: 'search_names',
  columns: {
    kind: 'u8',
    mint: 'account',
    name: 'string',
    symbol: 'string',
    slot: 'u32',
    block_index: 'u32',
    ix_index: 'u16',
    quote_mint: 'address',
    price_quote: 'u64',
    price_token: 'u64',
    traded_at: 'u64',
  },
} as const;
type NameRow = RowOf<typeof NAME_LAYOUT>;

/** Which table tells what a row says. */
const KINDS = { creation: 1, accounts: 2, trades: 3 } as const;
/** Rows of the mints of a range, several each. */
const MAX_ROWS = 200_000;

const names = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./search-names.sql', import.meta.url),
  params: Type.Object({ low: Type.String(), high: Type.String(), is_last: Type.Boolean(), mark: Type.Integer() }),
  maxRows: MAX_ROWS,
  layout: NAME_LAYOUT,
});

const counts = defineQuery({
  sql: new URL('./search-counts.sql', import.meta.url),
  params: Type.Object({}),
  row: Type.Object({ told: Type.String(), tokens: Type.String(), traded: Type.String() }),
});

const cutoffs = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./search-cutoffs.sql', import.meta.url),
  params: Type.Object({ untraded: Type.Integer(), traded: Type.Integer() }),
  row: Type.Object({ untraded_slot: Type.Integer(), traded_slot: Type.Integer() }),
});

/** Mints of a range of addresses, by the first two bytes of them: `high` is not in it. */
export interface MintRange {
  readonly low: number;
  readonly high: number;
}

/** One more than the greatest bound of a range. */
export const MINT_RANGE_END = 2 ** 16;

/** A token as the store tells of it, and how new it is: what is let go when there are too many goes by that. */
export interface StoredName extends NamedToken {
  /** Slot of its newest trade, 0 for one that never traded. */
  readonly tradedSlot: number;
}

/** A token as the store tells of it, or of which it knows the name alone, before its first trade is stored. */
export interface ToldName extends StoredName {
  /** True when the store has its creation, its graduation or a trade. */
  readonly isSeen: boolean;
}

/** Slots before which tokens are left out, where there are too many. */
export interface NameCutoffs {
  readonly untradedSlot: number;
  readonly tradedSlot: number;
}

export interface NameCounts {
  readonly told: number;
  readonly tokens: number;
  readonly traded: number;
}

/** What the store is asked for all tokens' names. */
export interface NameReads {
  /** Tokens of a range as they stood at slot `mark`, and the newest trades that were there. */
  names(range: MintRange, mark: number): Promise<readonly StoredName[]>;
  /** Some tokens as they stood then; mints of which nothing is known are left out. */
  namesOf(mints: readonly Address[], mark: number): Promise<readonly ToldName[]>;
  /** Rows that have to be gone through; tokens, and those of them that ever traded, both to a percent or so. */
  counts(): Promise<NameCounts>;
  /** Where the newest so many tokens end, of those that traded and of those that never did. */
  cutoffs(untraded: number, traded: number): Promise<NameCutoffs>;
}

export function createNameReads(client: StoreClient): NameReads {
  return {
    async names({ low, high }, mark) {
      const isLast = high >= MINT_RANGE_END;
      const rows = await names(client, { low: bound(low), high: bound(isLast ? 0 : high), is_last: isLast, mark });
      return [...byMint(rows)].flatMap(([mint, told]) => {
        // Accounts are read of currencies too: what was neither made nor traded before our eyes is no token of ours.
        const isToken = mint !== '' && told.some(({ kind }) => kind !== KINDS.accounts);
        return isToken ? [namedToken(mint, told)] : [];
      });
    },
    async namesOf(mints, mark) {
      const facts = await readFactsOfMints(client, mints, mark);
      return mints.flatMap((mint, place) => {
        const state = { mint, ...facts[place]! };
        const told = { ...factsToName(state), isSeen: isKnown(state) };
        return told.isSeen || told.name !== '' || told.symbol !== '' ? [told] : [];
      });
    },
    async counts() {
      const [row] = await counts(client, {});
      return { told: Number(row?.told ?? 0), tokens: Number(row?.tokens ?? 0), traded: Number(row?.traded ?? 0) };
    },
    async cutoffs(untraded, traded) {
      const [row] = await cutoffs(client, { untraded, traded });
      return { untradedSlot: row?.untraded_slot ?? 0, tradedSlot: row?.traded_slot ?? 0 };
    },
  };
}

function bound(at: number): string {
  return `${at.toString(16).padStart(4, '0')}${'00'.repeat(30)}`;
}

function namedToken(mint: Address, rows: readonly NameRow[]): StoredName {
  const of = (kind: number) => rows.find((row) => row.kind === kind);
  const creation = of(KINDS.creation);
  const trades = of(KINDS.trades);
  return {
    ...shownNames(mint, creation ?? equity(mint) ?? of(KINDS.accounts)),
    slot: creation?.slot ?? 0,
    within: creation === undefined ? 0 : withinSlot(creation),
    market: marketRank(mint, trades !== undefined, trades),
    tradedSlot: trades === undefined ? 0 : slotOf(trades.traded_at),
  };
}

function factsToName(state: TokenState): StoredName {
  const { mint, creation, lastSwap, lastPriced } = state;
  const { name = '', symbol = '' } = nameOf(state);
  return {
    ...{ mint, name, symbol },
    slot: creation?.slot ?? 0,
    within: creation === undefined ? 0 : withinSlot(creation),
    market: marketRank(mint, lastSwap !== undefined, lastPriced),
    tradedSlot: lastSwap?.slot ?? 0,
  };
}

/** A token's names as they are served; '' while nothing tells them. */
export function shownNames(
  mint: Address,
  told: { readonly name?: string; readonly symbol?: string } | undefined,
): Pick<NamedToken, 'mint' | 'symbol' | 'name'> {
  return { mint, symbol: shownName(told?.symbol ?? ''), name: shownName(told?.name ?? '') };
}

/** Block and instruction index in one number of 32 bits, in their order. */
export function withinSlot({
  block_index,
  ix_index,
}: {
  readonly block_index: number;
  readonly ix_index: number;
}): number {
  return Math.min(block_index, MAX_BLOCK_INDEX) * IX_INDEXES + Math.min(ix_index, IX_INDEXES - 1);
}

const MAX_BLOCK_INDEX = 2 ** 18 - 1;
const IX_INDEXES = 2 ** 14;
