import type * as facts from '../../../facts/fact.ts';
import type { RowBatch, RowBytes } from './row-batch.ts';
import { encodeRows } from './row-codec.ts';
import type { RowOf, TableLayout } from './table-layout.ts';
import type * as rows from './tables.ts';
import * as tables from './tables.ts';
import { attemptRow, originOf, orNone, swapRow } from './trade-rows.ts';

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
    put(tables.SLOT_TIPS, block.economics.tipsByWallet, (tip) => slotTipRow(tip, block));
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

function blockRow(block: facts.BlockFacts): rows.BlockRow {
  const { economics } = block;
  return {
    slot: block.slot,
    blockhash: block.blockhash,
    parent_slot: block.parentSlot,
    time: block.time,
    transactions: economics.transactions,
    failed: economics.failed,
    votes: economics.votes,
    swaps: block.swaps.length,
    attempts: block.attempts.length,
    fees: economics.fees,
    priority_fees: economics.priorityFees,
    tips: economics.tips,
  };
}

function slotTipRow(tip: facts.TipTotal, block: facts.BlockFacts): rows.SlotTipRow {
  return { slot: block.slot, time: block.time, tip_wallet: tip.tipWallet, count: tip.count, lamports: tip.lamports };
}

function creationRow(fact: facts.TokenCreated, partial: boolean): rows.TokenCreationRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    creator: fact.creator,
    fee_creator: orNone(fact.feeCreator),
    name: fact.name,
    symbol: fact.symbol,
    uri: fact.uri,
    bonding_curve: fact.bondingCurve,
    decimals: fact.decimals,
    token_program: orNone(fact.tokenProgram),
    quote_mint: orNone(fact.quoteMint),
    mayhem: fact.mayhem,
    cashback: fact.cashback,
    holder_reward: fact.holderReward,
    creator_fee_bps: Number(fact.creatorFeeBps ?? 0n),
    curve_depth: fact.curveDepth,
    virtual_token_reserves: fact.virtualTokenReserves ?? 0n,
    virtual_quote_reserves: fact.virtualQuoteReserves ?? 0n,
    real_token_reserves: fact.realTokenReserves ?? 0n,
    supply: fact.supply,
  };
}

function completionRow(fact: facts.CurveCompleted, partial: boolean): rows.CurveCompletionRow {
  return { mint: fact.mint, ...originOf(fact, partial), bonding_curve: fact.bondingCurve, user: fact.user };
}

function graduationRow(fact: facts.Graduated, partial: boolean): rows.TokenGraduationRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    pool: fact.pool,
    quote_mint: orNone(fact.quoteMint),
    token_amount: fact.tokenAmount,
    quote_amount: fact.quoteAmount,
    migration_fee: fact.migrationFee,
  };
}

function creatorChangeRow(fact: facts.CreatorChanged, partial: boolean): rows.CreatorChangeRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    previous: orNone(fact.previous),
    creator: fact.creator,
    reason: fact.reason,
  };
}

function poolRow(fact: facts.PoolCreated, partial: boolean): rows.PoolRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    pool: fact.pool,
    quote_mint: orNone(fact.quoteMint),
    inverted: fact.inverted,
    canonical: fact.canonical,
    creator: fact.creator,
    token_decimals: fact.tokenDecimals,
    quote_decimals: fact.quoteDecimals,
    token_amount: fact.tokenAmount,
    quote_amount: fact.quoteAmount,
  };
}

function liquidityRow(fact: facts.LiquidityChanged, partial: boolean): rows.LiquidityRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    pool: fact.pool,
    user: fact.user,
    is_deposit: fact.isDeposit,
    token_amount: fact.tokenAmount,
    quote_amount: fact.quoteAmount,
    lp_amount: fact.lpAmount,
  };
}

function payoutRow(fact: facts.FeePayout, partial: boolean): rows.FeePayoutRow {
  return {
    mint: orNone(fact.mint),
    ...originOf(fact, partial),
    recipient: fact.recipient,
    quote_mint: orNone(fact.quoteMint),
    amount: fact.amount,
    kind: fact.kind,
  };
}

function transferRow(fact: facts.Transfer, partial: boolean): rows.TransferRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    sender: fact.from,
    receiver: fact.to,
    amount: fact.amount,
    decimals: fact.decimals,
    ambiguous: fact.ambiguous,
  };
}

function burnRow(fact: facts.Burn, partial: boolean): rows.BurnRow {
  return {
    mint: fact.mint,
    ...originOf(fact, partial),
    owner: fact.owner,
    amount: fact.amount,
    decimals: fact.decimals,
  };
}

function unexplainedRow(fact: facts.UnexplainedDelta, partial: boolean): rows.UnexplainedDeltaRow {
  return { mint: fact.mint, ...originOf(fact, partial), owner: fact.owner, delta: fact.delta };
}

function fundingRow(fact: facts.Funding, partial: boolean): rows.FundingRow {
  return {
    wallet: fact.wallet,
    ...originOf(fact, partial),
    funder: fact.funder,
    amount: fact.amount,
    created_account: fact.createdAccount,
  };
}
