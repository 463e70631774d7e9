import type {
  Burn,
  CreatorChanged,
  CurveCompleted,
  Funding,
  Graduated,
  LiquidityChanged,
  PoolCreated,
  TokenCreated,
  UnexplainedDelta,
} from '../../facts/fact.ts';
import type { Effect, SwapEffect, TokenMove } from '../truth.ts';

/** Effects of the programs of one transaction, in their own words. A revert takes all of it back. */
export class TransactionRecord {
  created: Effect<TokenCreated>[] = [];
  swaps: SwapEffect[] = [];
  completed: Effect<CurveCompleted>[] = [];
  graduated: Effect<Graduated>[] = [];
  creatorChanges: Effect<CreatorChanged>[] = [];
  pools: Effect<PoolCreated>[] = [];
  liquidity: Effect<LiquidityChanged>[] = [];
  unexplained: Omit<Effect<UnexplainedDelta>, 'ixIndex'>[] = [];
  equitySwaps: Omit<SwapEffect, 'ixIndex'>[] = [];
  burns: Effect<Burn>[] = [];
  fundings: Effect<Funding>[] = [];
  moves: TokenMove[] = [];
  /** Of the moves, those by which a transaction that trades hands its tokens on. */
  handed: TokenMove[] = [];
  /** True once the launchpad or the AMM was called: such a transaction's token moves are trades. */
  touchesVenue = false;

  revert(): void {
    Object.assign(this, new TransactionRecord());
  }
}
