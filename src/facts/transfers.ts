import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { equity } from '../programs/registry/index.ts';
import { burnsOf, type SupplyDelta, supplyDeltas } from './burns.ts';
import type { Burn, Transfer } from './fact.ts';
import { isCurrency } from './quotes.ts';
import { appendSends, type MintMoves, pairUp, type Send } from './send-pairs.ts';
import type { TransactionScope } from './transaction-scope.ts';

const NO_MINTS: ReadonlySet<Address> = new Set();

/**
 * Sends and burns of a transaction that calls no venue, by balance deltas of
 * owners: whichever programs moved the tokens. What people hand each other in a
 * venue's transaction is told by `hiddenMovesOf`.
 * `equityLegs` is the number of the transaction's equity swaps: their places come
 * first, and their shares are told.
 */
export function transfersOf(scope: TransactionScope, equityLegs: number, transfers: Transfer[], burns: Burn[]): void {
  if (!movesTokens(scope.transaction)) return;
  const supply = supplyDeltas(scope.transaction);
  const sends: Send[] = [];
  for (const moves of mintMoves(scope, supply)) {
    if (equityLegs === 0 || equity(moves.mint) === undefined) pairUp(moves, sends);
  }
  burnsOf(scope, supply, NO_MINTS, burns);
  const place = { firstIxIndex: scope.transaction.instructions.length + equityLegs, hidden: false };
  appendSends(scope, sends, place, transfers, burns);
}

/** Most transactions move nothing, or money only: they must cost next to nothing. */
function movesTokens(transaction: Transaction): boolean {
  for (const balance of transaction.tokenBalances) {
    const moved = balance.pre !== balance.post || balance.preOwner !== balance.postOwner;
    if (moved && !isCurrency(balance.mint)) return true;
  }
  return false;
}

function mintMoves(scope: TransactionScope, supply: readonly SupplyDelta[]): Iterable<MintMoves> {
  const byMint = new Map<Address, MintMoves>();
  for (const { owner, mint, decimals, delta } of scope.deltas) {
    if (isCurrency(mint)) continue;
    const made = supply.find((change) => change.owner === owner && change.mint === mint);
    const moved = made === undefined ? delta : delta + made.burnt - made.minted;
    if (moved === 0n) continue;
    let moves = byMint.get(mint);
    if (moves === undefined) {
      moves = { mint, decimals, senders: [], receivers: [] };
      byMint.set(mint, moves);
    }
    if (moved < 0n) moves.senders.push({ owner, left: -moved });
    else moves.receivers.push({ owner, left: moved });
  }
  return byMint.values();
}
