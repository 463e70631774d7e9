import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { INCINERATOR } from '../chain/well-known.ts';
import { equity } from '../programs/registry/index.ts';
import { compareAddresses } from './address-order.ts';
import { smaller } from './amounts.ts';
import { burnsOf, type SupplyDelta, supplyDeltas } from './burns.ts';
import type { Burn, Transfer } from './fact.ts';
import { isCurrency, isOneOfAKind } from './quotes.ts';
import type { TransactionScope } from './transaction-scope.ts';

interface Side {
  readonly owner: Address;
  left: bigint;
}

interface MintMoves {
  readonly mint: Address;
  readonly decimals: number;
  readonly senders: Side[];
  readonly receivers: Side[];
}

interface Send {
  readonly mint: Address;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly decimals: number;
  readonly ambiguous: boolean;
}

const NO_MINTS: ReadonlySet<Address> = new Set();

/**
 * Sends and burns of a transaction that touches no venue, by balance deltas of
 * owners: whichever programs moved the tokens. One sender or one receiver gives
 * exact edges; several of both give one possible pairing, marked ambiguous.
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
  sends.sort(byOwner);
  const { slot, blockIndex, time, signature } = scope;
  let ixIndex = scope.transaction.instructions.length + equityLegs;
  for (const { mint, from, to, amount, decimals, ambiguous } of sends) {
    if (to === INCINERATOR) {
      burns.push({ slot, blockIndex, ixIndex, time, signature, mint, owner: from, amount, decimals });
    } else {
      transfers.push({ slot, blockIndex, ixIndex, time, signature, mint, from, to, amount, decimals, ambiguous });
    }
    ixIndex++;
  }
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

function pairUp({ mint, decimals, senders, receivers }: MintMoves, sends: Send[]): void {
  if (receivers.length === 1 && isOneOfAKind(decimals, receivers[0]!.left)) return;
  const ambiguous = senders.length > 1 && receivers.length > 1;
  senders.sort(byAddress);
  receivers.sort(byAddress);
  let s = 0;
  for (const receiver of receivers) {
    while (receiver.left > 0n && s < senders.length) {
      const sender = senders[s]!;
      const amount = smaller(sender.left, receiver.left);
      sends.push({ mint, from: sender.owner, to: receiver.owner, amount, decimals, ambiguous });
      sender.left -= amount;
      receiver.left -= amount;
      if (sender.left === 0n) s++;
    }
  }
}

function byAddress(a: Side, b: Side): number {
  return compareAddresses(a.owner, b.owner);
}

function byOwner(a: Send, b: Send): number {
  return compareAddresses(a.from, b.from) || compareAddresses(a.mint, b.mint) || compareAddresses(a.to, b.to);
}
