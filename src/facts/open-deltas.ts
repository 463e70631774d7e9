import type { Address } from '../chain/address.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import { magnitude, smaller } from './amounts.ts';
import type { TransactionScope } from './transaction-scope.ts';

/**
 * Balance changes of one mint that no trade has claimed yet. A change that a trade explains is taken out, so that the
 * next equal trade is somebody else's. Reserves and the protocol's own wallets never have one.
 */
export class OpenDeltas {
  readonly #scope: TransactionScope;
  readonly #open = new Map<Address, bigint>();

  constructor(scope: TransactionScope, mint: Address, reserves: ReadonlySet<Address>) {
    this.#scope = scope;
    for (const { owner, mint: moved, delta } of scope.deltas) {
      if (moved === mint && !reserves.has(owner) && !isProtocolActor(owner)) this.#open.set(owner, delta);
    }
  }

  /** Raw units, signed; 0 for whoever has no change. */
  of(owner: Address): bigint {
    return this.#open.get(owner) ?? 0n;
  }

  /** Takes out what a trade explains, never more than there is that way. */
  take(owner: Address, tokens: bigint): void {
    const open = this.of(owner);
    if (open > 0n !== tokens > 0n) return;
    const taken = smaller(magnitude(open), magnitude(tokens));
    this.#open.set(owner, open > 0n ? open - taken : open + taken);
  }

  /** The owner whose change is exactly this, a signer before others. */
  findExact(tokens: bigint): Address | undefined {
    let found: Address | undefined;
    for (const [owner, open] of this.#open) {
      if (open !== tokens) continue;
      if (this.#scope.hasSigned(owner)) return owner;
      found ??= owner;
    }
    return found;
  }

  /**
   * The owner with the largest change of the sign of `tokens`, a signer before an equal other. Beyond `tokens` a change
   * counts for no more. One that is mostly of something else counts for a signer alone: a stranger who got a fortune
   * beside the trade is not its trader.
   */
  findLargest(tokens: bigint): Address | undefined {
    const most = magnitude(tokens);
    let found: { readonly owner: Address; readonly weight: bigint; readonly signed: boolean } | undefined;
    for (const [owner, open] of this.#open) {
      if (open === 0n || open > 0n !== tokens > 0n) continue;
      const signed = this.#scope.hasSigned(owner);
      if (!signed && magnitude(open) > 2n * most) continue;
      const weight = smaller(magnitude(open), most);
      if (found !== undefined && (weight < found.weight || (weight === found.weight && (found.signed || !signed)))) {
        continue;
      }
      found = { owner, weight, signed };
    }
    return found?.owner;
  }
}
