import type { Address } from '../chain/address.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import type { DraftSwap } from './draft-swap.ts';
import { ownersOfLegs } from './leg-owners.ts';
import { OpenDeltas } from './open-deltas.ts';
import { tokenMoves, venueSpan } from './token-moves.ts';
import type { TransactionScope } from './transaction-scope.ts';

/**
 * Settles who traded. An event's user who signed, or whose balance moved by the
 * swap's tokens, is the trader. Otherwise the user is a router's authority, and
 * the trader is the owner whom the tokens lead to. Each balance change stands
 * for its own tokens once: a router that buys equal amounts for several wallets
 * has several traders. `pools` are those of the events: they hold reserves.
 */
export function settleTraders(scope: TransactionScope, swaps: readonly DraftSwap[], pools: ReadonlySet<Address>): void {
  const unsigned = swaps.filter((swap) => !swap.protocolActor && !scope.hasSigned(swap.trader));
  for (const mint of new Set(unsigned.map((swap) => swap.mint))) {
    const open = new OpenDeltas(scope, mint, new Set([...pools, bondingCurveAddress(mint)]));
    for (const swap of swaps) {
      if (swap.mint === mint && !unsigned.includes(swap)) open.take(swap.trader, signedTokens(swap));
    }
    settleMint(
      scope,
      unsigned.filter((swap) => swap.mint === mint),
      open,
    );
  }
}

/** Users who hold what they traded come first, so that no other user's trade is taken for theirs. */
function settleMint(scope: TransactionScope, swaps: readonly DraftSwap[], open: OpenDeltas): void {
  const passing = [...groupByUser(swaps)].filter(([user, legs]) => {
    const net = legs.reduce((sum, swap) => sum + signedTokens(swap), 0n);
    if (net === 0n || open.of(user) !== net) return true;
    open.take(user, net);
    return false;
  });
  if (passing.length === 0) return;
  const moves = tokenMoves(scope.transaction, swaps[0]!.mint);
  for (const [user, group] of passing) {
    const legs = group.map((swap) => ({
      tokens: signedTokens(swap),
      span: venueSpan(scope.transaction, swap.ixIndex),
    }));
    ownersOfLegs({ legs, through: user }, moves, open).forEach((owner, place) => {
      group[place]!.trader = owner ?? user;
    });
  }
}

function groupByUser(swaps: readonly DraftSwap[]): Map<Address, DraftSwap[]> {
  const groups = new Map<Address, DraftSwap[]>();
  for (const swap of swaps) {
    const group = groups.get(swap.trader);
    if (group === undefined) groups.set(swap.trader, [swap]);
    else group.push(swap);
  }
  return groups;
}

/** Tokens that the trader gained by the swap. */
export function signedTokens(swap: DraftSwap): bigint {
  return swap.isBuy ? swap.tokenAmount : -swap.tokenAmount;
}
