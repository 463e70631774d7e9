import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { EQUITIES } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery, defineRowQuery } from '../../store/query.ts';
import { shownName, unprintableClass } from '../../token/shown-name.ts';

const byName = defineRowQuery({
  sql: new URL('./tokens-by-name.sql', import.meta.url),
  params: Type.Object({
    name: Type.String(),
    mark: Type.Integer(),
    limit: Type.Integer(),
    unprintable: Type.String(),
  }),
  layout: {
    name: 'tokens_by_name',
    columns: { slot: 'u32', block_index: 'u32', ix_index: 'u16', mint: 'account' },
  },
});

const walletKinds = defineQuery({
  sql: new URL('./wallet-kinds.sql', import.meta.url),
  params: Type.Object({ wallet: Type.String(), mark: Type.Integer() }),
  row: Type.Object({ kind: Type.Enum(['creator', 'wallet']) }),
});

/** What the store is asked for a name, and for an address. */
export interface LookupReads {
  /** Mints whose name is the text, the newest first, at most `limit`; behind them shares that the registry names so. */
  mintsOfName(name: string, mark: number, limit: number): Promise<readonly Address[]>;
  /** What a wallet is known as; undefined for one that neither made nor traded anything. */
  walletKind(wallet: Address, mark: number): Promise<'creator' | 'wallet' | undefined>;
}

export function createLookupReads(client: StoreClient): LookupReads {
  return {
    async mintsOfName(name, mark, limit) {
      const rows = await byName(client, { name, mark, limit, unprintable: unprintableClass() });
      const mints = rows.flatMap(({ mint }) => (mint === '' ? [] : [mint]));
      return [...new Set([...mints, ...sharesOfName(name)])];
    },
    async walletKind(wallet, mark) {
      const rows = await walletKinds(client, { wallet, mark });
      return rows.find(({ kind }) => kind === 'creator')?.kind ?? rows[0]?.kind;
    },
  };
}

function sharesOfName(name: string): readonly Address[] {
  return EQUITIES.filter((share) => shownName(share.name ?? '') === name).map(({ mint }) => mint);
}
