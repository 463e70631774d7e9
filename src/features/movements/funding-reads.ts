import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { FUNDINGS } from '../../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../../store/query.ts';
import { isSurelyBefore, type RowPlace } from './place-rules.ts';
import { readTiedSwaps, type TradeSlot } from './tied-swap-reads.ts';

const { columns } = FUNDINGS;

const FIRST_FUNDINGS = {
  name: 'first_fundings',
  columns: {
    wallet: columns.wallet,
    slot: columns.slot,
    /** 0 where the funding was looked up: nodes do not tell it. */
    block_index: columns.block_index,
    ix_index: columns.ix_index,
    time: columns.time,
    signature: columns.signature,
    /** The place in the slot is provisional: of one without its block, and of every one that was looked up. */
    partial: columns.partial,
    funder: columns.funder,
    amount: columns.amount,
    created_account: columns.created_account,
    /** Out of the wallet's own history instead of our blocks. */
    looked_up: 'bool',
  },
} as const;

export type FirstFundingRow = RowOf<typeof FIRST_FUNDINGS>;

const first = defineRowQuery({
  sql: new URL('./fundings-first.sql', import.meta.url),
  params: Type.Object({ wallets: Type.Array(Type.String()), mark: Type.Integer() }),
  layout: FIRST_FUNDINGS,
});

/**
 * The first known funding of wallets, those without one left out. The first is picked here
 * and not where fundings are stored: a block that comes late may hold an earlier one.
 * A row with `created_account` false tells that the wallet is older than what is known.
 */
export async function readFirstFundings(
  client: StoreClient,
  wallets: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address, FirstFundingRow>> {
  if (wallets.length === 0) return new Map();
  const rows = await first(client, { wallets: [...wallets], mark });
  return new Map(rows.map((row) => [row.wallet as Address, row]));
}

/** A wallet and the slot of its first trade of a token; undefined when it never traded. */
export interface FirstTrade {
  readonly wallet: Address;
  readonly slot: number | undefined;
}

/** The same, without those that are not known to have come before the wallet's first trade of the token. */
export async function readFundingsBefore(
  client: StoreClient,
  mint: Address,
  trades: readonly FirstTrade[],
  mark: number,
): Promise<ReadonlyMap<Address, FirstFundingRow>> {
  const fundings = await readFirstFundings(
    client,
    trades.map(({ wallet }) => wallet),
    mark,
  );
  const tied = trades.flatMap(({ wallet, slot }): TradeSlot[] =>
    slot !== undefined && fundings.get(wallet)?.slot === slot ? [{ wallet, slot }] : [],
  );
  const places = await readTiedSwaps(client, mint, tied);
  return new Map(
    trades.flatMap(({ wallet, slot }): [Address, FirstFundingRow][] => {
      const funding = fundings.get(wallet);
      if (funding === undefined) return [];
      const isBefore =
        slot === undefined || funding.slot < slot || (funding.slot === slot && precedes(funding, places.get(wallet)));
      return isBefore ? [[wallet, funding]] : [];
    }),
  );
}

function precedes(funding: FirstFundingRow, trade: RowPlace | undefined): boolean {
  return trade !== undefined && isSurelyBefore(funding, trade);
}
