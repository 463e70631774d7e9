import { ORIGIN } from './origin.ts';
import type { RowOf, TableLayout } from './table-layout.ts';

export const TRANSFERS = {
  name: 'transfers',
  columns: {
    mint: 'account',
    ...ORIGIN,
    sender: 'account',
    receiver: 'account',
    amount: 'u64',
    decimals: 'u8',
    ambiguous: 'bool',
    hidden: 'bool',
  },
} as const satisfies TableLayout;

export const BURNS = {
  name: 'burns',
  columns: { mint: 'account', ...ORIGIN, owner: 'account', amount: 'u64', decimals: 'u8' },
} as const satisfies TableLayout;

export const UNEXPLAINED_DELTAS = {
  name: 'unexplained_deltas',
  columns: { mint: 'account', ...ORIGIN, owner: 'account', delta: 'i64' },
} as const satisfies TableLayout;

export const FUNDINGS = {
  name: 'fundings',
  columns: { wallet: 'account', ...ORIGIN, funder: 'account', amount: 'u64', created_account: 'bool' },
} as const satisfies TableLayout;

export type TransferRow = RowOf<typeof TRANSFERS>;
