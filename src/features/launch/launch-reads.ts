import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  HOLDINGS,
  type HoldingRow,
  POSITIONS,
  type PositionRow,
  SWAPS,
  type SwapRow,
} from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import { withLearntDecimals } from '../../token/hydrated-reads.ts';

/** Questions about a token's first moments. `mark` as in {@link TokenReads}. */
export interface LaunchReads {
  /** Swaps of a range of slots, in order of place. */
  raceSwaps(mint: Address, mark: number, range: SlotRange): Promise<readonly SwapRow[]>;
  raceAttempts(mint: Address, mark: number, range: SlotRange): Promise<readonly AttemptRow[]>;
  /** The first buy of each of the first `limit` wallets that bought, in order of place, without the protocol's own. */
  firstBuys(mint: Address, mark: number, limit: number): Promise<readonly FirstBuyRow[]>;
  /** Positions of wallets in all quotes of each, those of the wallets named first. */
  positions(mint: Address, asked: PositionsAsked): Promise<readonly PositionRow[]>;
  /** Holdings of the same wallets, of those that moved tokens outside of trades. */
  holdings(mint: Address, asked: PositionsAsked): Promise<readonly HoldingRow[]>;
}

export interface SlotRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
  readonly limit: number;
}

export interface PositionsAsked {
  readonly wallets: readonly Address[];
  /** Also positions in which nothing was ever bought. */
  readonly sellers: boolean;
  readonly limit: number;
}

const FIRST_BUY = columnsOf(
  SWAPS,
  'mint',
  'slot',
  'block_index',
  'ix_index',
  'time',
  'signature',
  'partial',
  'venue',
  'trader',
  'quote_mint',
  'quote_decimals',
  'token_decimals',
  'quote_amount',
  'token_amount',
  'price_quote',
  'price_token',
  'bundled',
);

export type FirstBuyRow = RowOf<typeof FIRST_BUY>;

const mint = Type.String();
const mark = Type.Integer();
const limit = Type.Integer();
const range = Type.Object({ mint, mark, first: Type.Integer(), last: Type.Integer(), limit });

/** Rows of a race, of either kind. */
export const MAX_RACE_ROWS = 10_000;

const raceSwaps = defineRowQuery({
  sql: new URL('./race-swaps.sql', import.meta.url),
  params: range,
  layout: SWAPS,
  maxRows: MAX_RACE_ROWS,
});

const raceAttempts = defineRowQuery({
  sql: new URL('./race-attempts.sql', import.meta.url),
  params: range,
  layout: ATTEMPTS,
  maxRows: MAX_RACE_ROWS,
});

const firstBuys = defineRowQuery({
  sql: new URL('./first-buys.sql', import.meta.url),
  params: Type.Object({ mint, mark, limit }),
  layout: FIRST_BUY,
});

const asked = Type.Object({ mint, wallets: Type.Array(Type.String()), sellers: Type.Boolean(), limit });

const positions = defineRowQuery({
  sql: new URL('./wallet-positions.sql', import.meta.url),
  params: asked,
  layout: POSITIONS,
});

const holdings = defineRowQuery({
  sql: new URL('./wallet-holdings.sql', import.meta.url),
  params: asked,
  layout: HOLDINGS,
});

/** The questions about a token's first moments, asked of the store. */
export function createLaunchReads(client: StoreClient): LaunchReads {
  return {
    raceSwaps: async (mint, mark, range) =>
      withLearntDecimals(client, await raceSwaps(client, { mint, mark, ...range }), () => mint),
    raceAttempts: (mint, mark, range) => raceAttempts(client, { mint, mark, ...range }),
    firstBuys: async (mint, mark, limit) =>
      withLearntDecimals(client, await firstBuys(client, { mint, mark, limit }), () => mint),
    positions: (mint, { wallets, ...asked }) => positions(client, { mint, wallets: [...wallets], ...asked }),
    holdings: (mint, { wallets, ...asked }) => holdings(client, { mint, wallets: [...wallets], ...asked }),
  };
}
