import { describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { type Address, ZERO_ADDRESS } from '../../../chain/address.ts';
import type { Attempt, BlockFacts, FactBase, Swap } from '../../../facts/fact.ts';
import { toRowBatch } from './fact-rows.ts';
import { decodeRows } from './row-codec.ts';
import type { RowOf, TableLayout } from './table-layout.ts';
import * as tables from './tables.ts';

const maker = createFactsMaker({ seed: 3, firstSlot: 700, swapsPerBlock: 2 });
const [mint, other] = maker.mints as [Address, Address];
const whole = maker.next();
const base: FactBase = {
  slot: 700,
  blockIndex: 12,
  ixIndex: 4,
  time: 1_760_000_000,
  signature: new Uint8Array(64).fill(5),
};
const attempt: Attempt = {
  ...base,
  mint,
  venue: 0,
  trader: other,
  isBuy: undefined,
  outcome: 'self_abort',
  why: 'TooMuchSolRequired',
  errorCode: undefined,
  program: undefined,
  router: undefined,
  feePayer: other,
  tip: 7n,
  tipWallet: undefined,
  budget: { cuPrice: 1n, cuLimit: 2, priorityFee: 3n, source: 1 },
  networkFee: 5000n,
  tipPayable: 6n,
  signatures: 1,
};

function rowsOf<const T extends TableLayout>(block: BlockFacts, layout: T): RowOf<T>[] {
  const encoded = toRowBatch(block, []).tables.get(layout.name as tables.FactTableName);
  return encoded === undefined ? [] : decodeRows<T>(layout, encoded.bytes);
}

describe('facts as rows', () => {
  it('keep every fact of a block, each in its table, and leave empty tables out', () => {
    const block: BlockFacts = {
      ...whole,
      attempts: [attempt],
      completed: [{ ...base, mint, bondingCurve: other, user: other }],
      graduated: [
        {
          ...base,
          mint,
          pool: other,
          quoteMint: undefined,
          tokenAmount: 1n,
          quoteAmount: 2n,
          migrationFee: 3n,
          user: other,
        },
      ],
      creatorChanges: [{ ...base, mint, previous: undefined, creator: other, reason: 'admin_cto' }],
      pools: [
        {
          ...{ ...base, mint, pool: other, quoteMint: mint, inverted: true, canonical: false, creator: other },
          ...{ tokenDecimals: 6, quoteDecimals: 9, tokenAmount: 1n, quoteAmount: 2n },
        },
      ],
      liquidity: [
        { ...base, mint, pool: other, user: other, isDeposit: true, tokenAmount: 1n, quoteAmount: 2n, lpAmount: 3n },
      ],
      payouts: [{ ...base, mint: undefined, recipient: other, quoteMint: undefined, amount: 9n, kind: 'cashback' }],
      burns: [{ ...base, mint, owner: other, amount: 4n, decimals: 6 }],
      unexplained: [{ ...base, mint, owner: other, delta: -5n }],
      fundings: [{ ...base, wallet: mint, funder: other, amount: 6n, createdAccount: true }],
    };
    const batch = toRowBatch(block, []);
    const counts = Object.fromEntries([...batch.tables].map(([name, { rows }]) => [name, rows]));
    expect(counts).toEqual({
      ...{ blocks: 1, slot_tips: 1, token_creations: 1, curve_completions: 1, token_graduations: 1 },
      ...{ creator_changes: 1, pools: 1, liquidity: 1, fee_payouts: 1, swaps: 2, attempts: 1, transfers: 1 },
      ...{ burns: 1, unexplained_deltas: 1, fundings: 1 },
    });
    expect(rowsOf(block, tables.FEE_PAYOUTS)[0]).toMatchObject({ mint: '', kind: 'cashback', amount: 9n });
    expect(rowsOf(block, tables.POOLS)[0]).toMatchObject({ quote_mint: mint, inverted: true, canonical: false });
    expect(rowsOf(block, tables.UNEXPLAINED_DELTAS)[0]).toMatchObject({ delta: -5n, block_index: 12, ix_index: 4 });
  });

  it('name the System program where somebody sent to it, whose address is zeros', () => {
    const zero = ZERO_ADDRESS;
    const block: BlockFacts = {
      ...whole,
      transfers: [{ ...base, mint, from: zero, to: zero, amount: 1n, decimals: 6, ambiguous: false, hidden: false }],
      payouts: [{ ...base, mint, recipient: zero, quoteMint: undefined, amount: 9n, kind: 'cashback' }],
      burns: [{ ...base, mint: zero, owner: zero, amount: 4n, decimals: 6 }],
      unexplained: [{ ...base, mint, owner: zero, delta: -5n }],
      fundings: [{ ...base, wallet: zero, funder: other, amount: 6n, createdAccount: false }],
    };
    expect(rowsOf(block, tables.TRANSFERS)[0]).toMatchObject({ sender: zero, receiver: zero });
    expect(rowsOf(block, tables.FEE_PAYOUTS)[0]).toMatchObject({ recipient: zero, quote_mint: '' });
    expect(rowsOf(block, tables.BURNS)[0]).toMatchObject({ mint: zero, owner: zero });
    expect(rowsOf(block, tables.UNEXPLAINED_DELTAS)[0]).toMatchObject({ mint, owner: zero });
    expect(rowsOf(block, tables.FUNDINGS)[0]).toMatchObject({ wallet: zero, funder: other });
  });

  it('write what is unknown as the layout says, and what is known exactly', () => {
    const swap: Swap = {
      ...whole.swaps[0]!,
      ...{ quoteDecimals: undefined, bundled: undefined, pool: undefined, router: undefined, feeCreator: undefined },
      ...{ virtualQuoteReserves: undefined, virtualTokenReserves: undefined },
      ...{ realQuoteReserves: undefined, realTokenReserves: undefined },
      ...{ quoteAmount: 2n ** 64n - 1n, priceQuote: 1n, priceToken: 4n },
    };
    expect(rowsOf({ ...whole, swaps: [swap] }, tables.SWAPS)[0]).toMatchObject({
      ...{ quote_decimals: 255, bundled: 2, pool: '', router: '', fee_creator: '', reserves_known: false },
      ...{ virtual_quote_reserves: 0n, quote_amount: 2n ** 64n - 1n, price: 0.25 },
    });
    const row = rowsOf({ ...whole, attempts: [attempt] }, tables.ATTEMPTS)[0];
    expect(row).toMatchObject({ side: 2, outcome: 2, error_code: 0, program: '', why: 'TooMuchSolRequired' });
  });

  it('close the slot of a whole block and the skipped ones behind its parent', () => {
    expect(toRowBatch({ ...whole, parentSlot: 696 }, [])).toMatchObject({
      firstSlot: 697,
      lastSlot: 700,
      closesSlots: true,
    });
    expect(toRowBatch({ ...whole, parentSlot: 0 }, [])).toMatchObject({ firstSlot: 700, lastSlot: 700 });
  });

  it('mark rows of single transactions as partial, without a block and without closing a slot', () => {
    const part: BlockFacts = { ...whole, whole: false, blockhash: '', parentSlot: 0 };
    const batch = toRowBatch(part, []);
    expect(batch).toMatchObject({ firstSlot: 700, lastSlot: 700, closesSlots: false });
    expect([...batch.tables.keys()]).not.toContain('blocks');
    expect([...batch.tables.keys()]).not.toContain('slot_tips');
    expect(rowsOf(part, tables.SWAPS).every(({ partial }) => partial)).toBe(true);
  });

  it('give the same bytes for the same facts', () => {
    const bytes = () => [...toRowBatch(whole, []).tables].map(([name, rows]) => [name, [...rows.bytes]]);
    expect(bytes()).toEqual(bytes());
  });
});
