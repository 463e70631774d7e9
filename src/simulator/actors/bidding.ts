import type { TransactionVersion } from '../../chain/block.ts';
import type { Random } from '../random.ts';
import type { TransactionPlan } from '../runtime/plan.ts';

/** A sender's bid: version and budget of a transaction. */
export type Bid = Pick<TransactionPlan, 'version' | 'budget' | 'hidesConfig'>;

const V1_SHARE = 0.14;
const LEGACY_SHARE = 0.26;
/** Of the v1 transactions: those whose config the serving node drops. */
const HIDDEN_CONFIG_SHARE = 0.15;

/** Bid of an ordinary sender. Some name no limit, some no price, some nothing at all. */
export function ordinaryBid(random: Random): Bid {
  return bid(random, random.amount(60_000, 1.4));
}

/** Bid of a sender who wants to be first. */
export function eagerBid(random: Random): Bid {
  return bid(random, random.amount(2_000_000, 1));
}

/** A transaction that bids nothing. */
export function noBid(version: TransactionVersion = 'legacy'): Bid {
  return { version, budget: version === 1 ? { unitLimit: 200_000 } : {} };
}

function bid(random: Random, unitPrice: bigint): Bid {
  const unitLimit = random.between(12, 50) * 10_000;
  const dice = random.next();
  if (dice < V1_SHARE) {
    const priorityFee = (unitPrice * BigInt(unitLimit)) / 1_000_000n;
    if (random.chance(0.05)) return { version: 1, budget: { unitLimit } };
    // Only one that paid can be told from a v0 that asked for nothing once its config is dropped.
    return {
      version: 1,
      budget: { unitLimit, priorityFee: priorityFee + 1n },
      hidesConfig: random.chance(HIDDEN_CONFIG_SHARE),
    };
  }
  const version = dice < V1_SHARE + LEGACY_SHARE ? 'legacy' : 0;
  const shape = random.next();
  if (shape < 0.06) return { version, budget: {} };
  if (shape < 0.12) return { version, budget: { unitPrice: unitPrice / 10n } };
  if (shape < 0.18) return { version, budget: { unitLimit } };
  return { version, budget: { unitLimit, unitPrice } };
}
