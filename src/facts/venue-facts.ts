import type { Address } from '../chain/address.ts';
import type { Journal } from '../kernel/journal.ts';
import type { ProgramEvent } from '../programs/program-event.ts';
import type { CreatePoolEvent } from '../programs/pump-amm/events.ts';
import { readVenueInstruction } from '../programs/venue-instruction.ts';
import { burnsOf, supplyDeltas } from './burns.ts';
import { curveCompleted, graduated, tokenCreated } from './coins.ts';
import { findCreatorChange } from './creator-changes.ts';
import type { DraftSwap } from './draft-swap.ts';
import { equitySwapsOf } from './equity-swaps.ts';
import type { LiquidityChanged, PoolCreated } from './fact.ts';
import type { FactLists } from './fact-lists.ts';
import { hiddenMovesOf } from './hidden-moves.ts';
import { deposited, poolCreated, withdrawn } from './liquidity.ts';
import { findPayout } from './payouts.ts';
import { findPoolMints, type PoolMints, type PoolSides, poolSides } from './pool-sides.ts';
import { quotedRemaindersOf } from './quoted-remainders.ts';
import { appendSends } from './send-pairs.ts';
import { completingSwap, curveSwap } from './swaps-from-curve.ts';
import { poolBuy, poolSell } from './swaps-from-pool.ts';
import { completionFees, curveFees, poolFees, type TokenFee } from './token-fees.ts';
import { settleTraders } from './trader.ts';
import type { TransactionScope } from './transaction-scope.ts';
import { appendUnexplained, type LiquidityMove, remaindersOf } from './unexplained.ts';
import { EQUITY } from './venue.ts';

/** Everything that the venues' events of one transaction tell, appended to `lists`. */
export class VenueFacts {
  readonly #scope: TransactionScope;
  readonly #lists: FactLists;
  readonly #journal: Journal;
  readonly #swaps: DraftSwap[] = [];
  readonly #liquidity: LiquidityMove[] = [];
  readonly #venueAccounts = new Set<Address>();
  readonly #poolShares = new Set<Address>();
  readonly #tokenFees: TokenFee[] = [];

  constructor(scope: TransactionScope, lists: FactLists, journal: Journal) {
    this.#scope = scope;
    this.#lists = lists;
    this.#journal = journal;
  }

  derive(events: readonly ProgramEvent[]): void {
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!;
      if (event.program === 'pump') this.#fromCurve(event);
      else if (event.program === 'pump_amm') this.#fromPool(event, events[i + 1]);
    }
    settleTraders(this.#scope, this.#swaps, this.#venueAccounts);
    this.#addEquitySwaps();
    for (const swap of this.#swaps) this.#lists.swaps.push(swap);
    this.#reconcile();
  }

  /** Behind the events' swaps, as their places in the transaction are. */
  #addEquitySwaps(): void {
    for (const swap of equitySwapsOf(this.#scope, this.#venueAccounts)) {
      this.#swaps.push(swap);
      if (swap.pool !== undefined) this.#venueAccounts.add(swap.pool);
    }
  }

  #reconcile(): void {
    const supply = supplyDeltas(this.#scope.transaction);
    burnsOf(this.#scope, supply, this.#poolShares, this.#lists.burns);
    const given = {
      swaps: this.#swaps,
      liquidity: this.#liquidity,
      supply,
      venueAccounts: this.#venueAccounts,
      poolShares: this.#poolShares,
      tokenFees: this.#tokenFees,
    };
    const remainders = remaindersOf(this.#scope, given);
    const quoted = quotedRemaindersOf(this.#scope, given);
    if (remainders.length + quoted.length === 0) return;
    const moves = hiddenMovesOf(this.#scope, [...remainders, ...quoted], given);
    // Equity swaps have the first places behind the instructions, each leg one.
    const legs = this.#swaps.filter(({ venue }) => venue === EQUITY).length;
    const firstIxIndex = this.#scope.transaction.instructions.length + legs;
    appendSends(this.#scope, moves, { firstIxIndex, hidden: true }, this.#lists.transfers, this.#lists.burns);
    appendUnexplained(this.#scope, remainders, firstIxIndex + moves.length, this.#lists.unexplained);
  }

  #fromCurve(event: ProgramEvent & { program: 'pump' }): void {
    const scope = this.#scope;
    const { ixIndex } = event;
    switch (event.name) {
      case 'TradeEvent':
        this.#swaps.push(curveSwap(scope, event.data, ixIndex, event.callIndex));
        this.#tokenFees.push(...curveFees(event.data));
        return;
      case 'PostCompleteBuyEvent':
        this.#swaps.push(completingSwap(scope, event.data, ixIndex));
        this.#tokenFees.push(...completionFees(event.data));
        return;
      case 'CreateEvent':
        this.#lists.created.push(tokenCreated(scope, event.data, ixIndex));
        return;
      case 'CompleteEvent':
        this.#lists.completed.push(curveCompleted(scope, event.data, ixIndex));
        return;
      case 'CompletePumpAmmMigrationEvent':
        this.#venueAccounts.add(event.data.pool);
        this.#lists.graduated.push(graduated(scope, event.data, ixIndex));
        return;
      default:
        this.#creatorNews(event);
    }
  }

  #fromPool(event: ProgramEvent & { program: 'pump_amm' }, next: ProgramEvent | undefined): void {
    const scope = this.#scope;
    const { ixIndex } = event;
    switch (event.name) {
      case 'BuyEvent':
      case 'SellEvent': {
        const mints = this.#poolMints(event.data.pool, event.data.userBaseTokenAccount, event);
        if (mints === undefined) return;
        const swap =
          event.name === 'BuyEvent'
            ? poolBuy(scope, event.data, ixIndex, mints, isBoost(event.data.pool, next))
            : poolSell(scope, event.data, ixIndex, mints);
        this.#swaps.push(swap);
        this.#tokenFees.push(...poolFees(event.data, mints));
        return;
      }
      case 'CreatePoolEvent':
        this.#venueAccounts.add(event.data.pool);
        this.#poolShares.add(event.data.lpMint);
        this.#addPool(poolCreated(scope, event.data, ixIndex), event.data);
        return;
      case 'DepositEvent':
      case 'WithdrawEvent': {
        const mints = this.#poolMints(event.data.pool, event.data.userBaseTokenAccount, event);
        if (mints === undefined) return;
        this.#notePoolShares(event.callIndex);
        const change =
          event.name === 'DepositEvent'
            ? deposited(scope, event.data, ixIndex, mints)
            : withdrawn(scope, event.data, ixIndex, mints);
        this.#lists.liquidity.push(change);
        this.#addLiquidity(change.user, poolSides(mints), change, change.isDeposit);
        return;
      }
      default:
        this.#creatorNews(event);
    }
  }

  /** A migration seeds the canonical pool from the curve: no maker gave anything. */
  #addPool(pool: PoolCreated, { baseMint, quoteMint }: CreatePoolEvent): void {
    this.#lists.pools.push(pool);
    if (!pool.canonical) {
      this.#addLiquidity(pool.creator, poolSides({ base: baseMint, quote: quoteMint }), pool, true);
    }
  }

  #addLiquidity(
    owner: Address,
    { token, quote }: PoolSides,
    { tokenAmount, quoteAmount }: Pick<LiquidityChanged, 'tokenAmount' | 'quoteAmount'>,
    isGiven: boolean,
  ): void {
    this.#liquidity.push(
      { owner, mint: token, delta: isGiven ? -tokenAmount : tokenAmount },
      { owner, mint: quote, delta: isGiven ? -quoteAmount : quoteAmount },
    );
  }

  #creatorNews(event: ProgramEvent): void {
    const change = findCreatorChange(this.#scope, event, this.#lists.creatorChanges);
    if (change !== undefined) this.#lists.creatorChanges.push(change);
    const payout = findPayout(this.#scope, event);
    if (payout !== undefined) this.#lists.payouts.push(payout);
  }

  #poolMints(pool: Address, userBase: Address, event: ProgramEvent): PoolMints | undefined {
    this.#venueAccounts.add(pool);
    const mints = findPoolMints(this.#scope.transaction, event.callIndex, pool, userBase);
    if (mints === undefined) this.#journal.note({ code: 'missing_pool_mints', subject: event.name, detail: { pool } });
    return mints;
  }

  #notePoolShares(callIndex: number): void {
    const call = this.#scope.transaction.instructions[callIndex];
    const shares = call && readVenueInstruction(this.#scope.transaction, call)?.account('lpMint');
    if (shares !== undefined) this.#poolShares.add(shares);
  }
}

/** A boosted pool buys from itself: nobody traded, though the price moved. The event that follows the buy tells. */
function isBoost(pool: Address, next: ProgramEvent | undefined): boolean {
  return next?.program === 'pump_amm' && next.name === 'BoostBuyAndBurnEvent' && next.data.pool === pool;
}
