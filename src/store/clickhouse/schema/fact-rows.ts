import type * as facts from '../../../facts/fact.ts';
import { threeDigitCode } from '../../../kernel/three-digits.ts';
import { answerCode, outcomeCode, UNKNOWN_DECIMALS } from './codes.ts';
import { priceDouble } from './price-double.ts';
import type { RowBatch, RowBytes } from './row-batch.ts';
import { encodeRows } from './row-codec.ts';
import { rowConverter } from './row-converter.ts';
import type { RowOf, TableLayout } from './table-layout.ts';
import type * as rows from './tables.ts';
import * as tables from './tables.ts';

const swapRow = rowConverter<facts.Swap, typeof tables.SWAPS>(tables.SWAPS, {
  quote_decimals: ({ quoteDecimals }) => quoteDecimals ?? UNKNOWN_DECIMALS,
  price: ({ priceQuote, priceToken }) => priceDouble(priceQuote, priceToken),
  virtual_quote_reserves: ({ virtualQuoteReserves }) => virtualQuoteReserves ?? 0n,
  virtual_token_reserves: ({ virtualTokenReserves }) => virtualTokenReserves ?? 0n,
  real_quote_reserves: ({ realQuoteReserves }) => realQuoteReserves ?? 0n,
  real_token_reserves: ({ realTokenReserves }) => realTokenReserves ?? 0n,
  reserves_known: ({ virtualQuoteReserves }) => virtualQuoteReserves !== undefined,
  bundled: ({ bundled }) => answerCode(bundled),
  cu_price: ({ budget }) => budget.cuPrice,
  cu_limit: ({ budget }) => budget.cuLimit,
  priority_fee: ({ budget }) => budget.priorityFee,
  budget_source: ({ budget }) => budget.source,
});

const attemptRow = rowConverter<facts.Attempt, typeof tables.ATTEMPTS>(tables.ATTEMPTS, {
  side: ({ isBuy }) => answerCode(isBuy),
  outcome: ({ outcome }) => outcomeCode(outcome),
  error_code: ({ errorCode }) => errorCode ?? 0,
  cu_price: ({ budget }) => budget.cuPrice,
  cu_limit: ({ budget }) => budget.cuLimit,
  priority_fee: ({ budget }) => budget.priorityFee,
  budget_source: ({ budget }) => budget.source,
});

const blockRow = rowConverter<facts.BlockFacts, typeof tables.BLOCKS>(tables.BLOCKS, {
  transactions: ({ economics }) => economics.transactions,
  failed: ({ economics }) => economics.failed,
  votes: ({ economics }) => economics.votes,
  swaps: ({ swaps }) => swaps.length,
  attempts: ({ attempts }) => attempts.length,
  fees: ({ economics }) => economics.fees,
  priority_fees: ({ economics }) => economics.priorityFees,
  tips: ({ economics }) => economics.tips,
});

type SlotTip = facts.TipTotal & Pick<facts.BlockFacts, 'slot' | 'time'>;

const slotTipRow = rowConverter<SlotTip, typeof tables.SLOT_TIPS>(tables.SLOT_TIPS, {
  largest: ({ paid }) => largestOf(paid),
  sizes: ({ paid }) => sizesOf(paid),
});

function largestOf(amounts: readonly bigint[]): bigint {
  let largest = 0n;
  for (const amount of amounts) if (amount > largest) largest = amount;
  return largest;
}

/** See `sizes` of `SLOT_TIPS`. */
function sizesOf(amounts: readonly bigint[]): Uint8Array {
  const codes = new Uint16Array(amounts.length);
  for (let i = 0; i < amounts.length; i += 1) codes[i] = threeDigitCode(amounts[i]!);
  return new Uint8Array(codes.sort().buffer);
}

const creationRow = rowConverter<facts.TokenCreated, typeof tables.TOKEN_CREATIONS>(tables.TOKEN_CREATIONS, {
  creator_fee_bps: ({ creatorFeeBps }) => Number(creatorFeeBps ?? 0n),
  virtual_token_reserves: ({ virtualTokenReserves }) => virtualTokenReserves ?? 0n,
  virtual_quote_reserves: ({ virtualQuoteReserves }) => virtualQuoteReserves ?? 0n,
  real_token_reserves: ({ realTokenReserves }) => realTokenReserves ?? 0n,
});

const completionRow = rowConverter<facts.CurveCompleted, typeof tables.CURVE_COMPLETIONS>(tables.CURVE_COMPLETIONS, {});

const graduationRow = rowConverter<facts.Graduated, typeof tables.TOKEN_GRADUATIONS>(tables.TOKEN_GRADUATIONS, {});

const creatorChangeRow = rowConverter<facts.CreatorChanged, typeof tables.CREATOR_CHANGES>(tables.CREATOR_CHANGES, {});

const poolRow = rowConverter<facts.PoolCreated, typeof tables.POOLS>(tables.POOLS, {});

const liquidityRow = rowConverter<facts.LiquidityChanged, typeof tables.LIQUIDITY>(tables.LIQUIDITY, {});

const payoutRow = rowConverter<facts.FeePayout, typeof tables.FEE_PAYOUTS>(tables.FEE_PAYOUTS, {});

const transferRow = rowConverter<facts.Transfer, typeof tables.TRANSFERS>(tables.TRANSFERS, {
  sender: ({ from }) => from,
  receiver: ({ to }) => to,
});

const burnRow = rowConverter<facts.Burn, typeof tables.BURNS>(tables.BURNS, {});

const unexplainedRow = rowConverter<facts.UnexplainedDelta, typeof tables.UNEXPLAINED_DELTAS>(
  tables.UNEXPLAINED_DELTAS,
  {},
);

const fundingRow = rowConverter<facts.Funding, typeof tables.FUNDINGS>(tables.FUNDINGS, {});

/**
 * The one way from facts to rows: all that a block says, and the positions it
 * moved, as the bytes that the store takes and the feed carries.
 *
 * A whole block closes its slot, and the skipped ones between it and its
 * parent. Partial input closes nothing and has no row of a block.
 */
export function toRowBatch(block: facts.BlockFacts, positions: readonly rows.PositionRow[]): RowBatch {
  const encoded = new Map<rows.FactTableName, RowBytes>();
  const partial = !block.whole;

  function put<const T extends TableLayout, F>(
    layout: T & { readonly name: rows.FactTableName },
    list: readonly F[],
    convert: (fact: F, partial: boolean) => RowOf<T>,
  ): void {
    if (list.length === 0) return;
    encoded.set(
      layout.name,
      encodeRows<T>(
        layout,
        list.map((fact) => convert(fact, partial)),
      ),
    );
  }

  if (block.whole) {
    put(tables.BLOCKS, [block], blockRow);
    const { slot, time } = block;
    put(
      tables.SLOT_TIPS,
      block.economics.tipsByWallet.map((tip) => ({ ...tip, slot, time })),
      slotTipRow,
    );
  }
  put(tables.TOKEN_CREATIONS, block.created, creationRow);
  put(tables.CURVE_COMPLETIONS, block.completed, completionRow);
  put(tables.TOKEN_GRADUATIONS, block.graduated, graduationRow);
  put(tables.CREATOR_CHANGES, block.creatorChanges, creatorChangeRow);
  put(tables.POOLS, block.pools, poolRow);
  put(tables.LIQUIDITY, block.liquidity, liquidityRow);
  put(tables.FEE_PAYOUTS, block.payouts, payoutRow);
  put(tables.SWAPS, block.swaps, swapRow);
  put(tables.ATTEMPTS, block.attempts, attemptRow);
  put(tables.TRANSFERS, block.transfers, transferRow);
  put(tables.BURNS, block.burns, burnRow);
  put(tables.UNEXPLAINED_DELTAS, block.unexplained, unexplainedRow);
  put(tables.FUNDINGS, block.fundings, fundingRow);
  put(tables.POSITIONS, positions, (row) => row);
  return { firstSlot: firstSlotOf(block), lastSlot: block.slot, closesSlots: block.whole, tables: encoded };
}

/** Slots between a block and its parent were skipped, so the block tells all about them too. */
function firstSlotOf({ whole, parentSlot, slot }: facts.BlockFacts): number {
  return whole && parentSlot > 0 && parentSlot < slot ? parentSlot + 1 : slot;
}
