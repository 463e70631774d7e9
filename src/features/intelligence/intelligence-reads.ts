import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { HOLDINGS, POSITIONS, SWAPS } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import { unknownResult } from './result-rules.ts';
import type { NotableMove, NotableSwap, StrictResult, TradePosition, WalletFlow } from './rule-rows.ts';

/** Rows that one refresh reads at most: beyond them a token's history is too long to be told in time. */
export const MOST_POSITIONS = 25_000;
export const MOST_FLOWS = 25_000;
/** Swaps and sends that events are made of: the newest of those that may be one. */
const MOST_SWAPS = 1_000;
const MOST_MOVES = 100;
/** Every question of a refresh, seconds: several are asked at once, and the next refresh is two seconds away. */
const MAX_SECONDS = 3;

const wallets = Type.Array(Type.String());

const positions = defineRowQuery({
  sql: new URL('./mint-positions.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), every: Type.Boolean(), wallets, most: Type.Integer() }),
  layout: columnsOf(
    POSITIONS,
    'quote_mint',
    'trader',
    'slot',
    'token_balance',
    'tokens_bought',
    'tokens_sold',
    'quote_invested',
    'quote_received',
    'basis',
    'basis_tokens',
    'realized_pnl',
    'pnl_known',
    'buys',
    'sells',
    'first_time',
    'first_slot',
    'last_time',
  ),
  maxRows: MOST_POSITIONS + 1,
  maxSeconds: MAX_SECONDS,
});

const flows = defineRowQuery({
  sql: new URL('./mint-flows.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), mark: Type.Integer(), most: Type.Integer() }),
  layout: {
    name: 'mint_flows',
    columns: {
      wallet: 'account',
      received: 'i128',
      sent: 'i128',
      burnt: 'i128',
      provided: 'i128',
      unexplained: 'i128',
    },
  },
  maxRows: MOST_FLOWS + 1,
  maxSeconds: MAX_SECONDS,
});

const results = defineRowQuery({
  sql: new URL('./mint-holdings.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), most: Type.Integer() }),
  layout: columnsOf(
    HOLDINGS,
    'wallet',
    'slot',
    'quote_mint',
    'quotes',
    'basis',
    'basis_tokens',
    'realized_pnl',
    'pnl_known',
    'whole',
  ),
  maxRows: MOST_FLOWS + 1,
  maxSeconds: MAX_SECONDS,
});

const notable = { mint: Type.String(), mark: Type.Integer(), wallets, most: Type.Integer() };

const swaps = defineRowQuery({
  sql: new URL('./notable-swaps.sql', import.meta.url),
  params: Type.Object({ ...notable, tokens: Type.String() }),
  layout: columnsOf(
    SWAPS,
    'slot',
    'block_index',
    'ix_index',
    'time',
    'signature',
    'trader',
    'is_buy',
    'quote_mint',
    'quote_amount',
    'token_amount',
  ),
  maxSeconds: MAX_SECONDS,
});

const moves = defineRowQuery({
  sql: new URL('./notable-transfers.sql', import.meta.url),
  params: Type.Object(notable),
  layout: {
    name: 'notable_transfers',
    columns: {
      kind: 'u8',
      slot: 'u32',
      block_index: 'u32',
      ix_index: 'u16',
      time: 'time',
      signature: 'signature',
      wallet: 'account',
      receiver: 'account',
      amount: 'u64',
    },
  },
  maxSeconds: MAX_SECONDS,
});

/** Positions of a mint; undefined when there are too many. */
export async function readPositions(client: StoreClient, mint: Address): Promise<readonly TradePosition[] | undefined> {
  const rows = await positions(client, { mint, every: true, wallets: [], most: MOST_POSITIONS + 1 });
  return rows.length > MOST_POSITIONS ? undefined : rows;
}

/** Positions of some wallets in a mint, in all quotes of each. */
export async function readPositionsOf(
  client: StoreClient,
  mint: Address,
  traders: readonly Address[],
): Promise<readonly TradePosition[]> {
  if (traders.length === 0) return [];
  return positions(client, { mint, every: false, wallets: [...traders], most: MOST_POSITIONS });
}

/** Tokens of a mint that wallets got and gave outside of trades; undefined when there are too many wallets. */
export async function readFlows(
  client: StoreClient,
  mint: Address,
  mark: number,
): Promise<readonly WalletFlow[] | undefined> {
  const rows = await flows(client, { mint, mark, most: MOST_FLOWS + 1 });
  return rows.length > MOST_FLOWS ? undefined : rows;
}

/**
 * Costs and results in the order of everything, of wallets that moved tokens outside of trades; undefined when there
 * are too many. Nothing is known of one that has moved on since slot `mark`, whose balance is an older one, nor of one that
 * lacks some of its steps.
 */
export async function readResults(
  client: StoreClient,
  mint: Address,
  mark: number,
): Promise<readonly StrictResult[] | undefined> {
  const rows = await results(client, { mint, most: MOST_FLOWS + 1 });
  if (rows.length > MOST_FLOWS) return undefined;
  return rows.map((row) => (row.slot <= mark && row.whole ? row : unknownResult(row)));
}

/** Newest swaps of `traders`, and of at least `tokens` raw units by anybody, newest first. */
export function readNotableSwaps(
  client: StoreClient,
  mint: Address,
  mark: number,
  traders: readonly Address[],
  tokens: bigint,
): Promise<readonly NotableSwap[]> {
  return swaps(client, { mint, mark, wallets: [...traders], tokens: String(tokens), most: MOST_SWAPS });
}

const SEND = 1;
const BURN = 2;

/** Newest sends of `senders` and burns by anybody, in no order. */
export async function readNotableMoves(
  client: StoreClient,
  mint: Address,
  mark: number,
  senders: readonly Address[],
): Promise<readonly NotableMove[]> {
  const rows = await moves(client, { mint, mark, wallets: [...senders], most: MOST_MOVES });
  return rows.map(({ kind, receiver, ...row }) => ({
    ...row,
    isBurn: kind === BURN,
    // No receiver is named where several sent to several.
    receiver: kind === SEND ? receiver : '',
  }));
}
