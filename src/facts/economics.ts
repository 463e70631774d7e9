import type { Address } from '../chain/address.ts';
import type { Block } from '../chain/block.ts';
import { BASE_FEE_PER_SIGNATURE } from '../chain/compute-budget.ts';
import { tipProvider } from '../programs/registry/index.ts';
import { compareAddresses } from './address-order.ts';
import type { BlockEconomics, TipTotal } from './fact.ts';
import type { TransactionScope } from './transaction-scope.ts';

interface MutableTotal {
  readonly tipWallet: Address;
  count: number;
  repeated: number;
  lamports: bigint;
  readonly paid: bigint[];
}

/** The wallet of a provider that a transaction tipped first, which keeps what it tipped the provider. */
interface FirstTipped {
  readonly provider: string | undefined;
  readonly sum: MutableTotal;
}

/** Sums a block's costs: every transaction once, a reverted one's fee too, but never its tip. */
export class EconomicsSum {
  #failed = 0;
  #fees = 0n;
  #priorityFees = 0n;
  #tips = 0n;
  readonly #tipsByWallet = new Map<Address, MutableTotal>();

  add(scope: TransactionScope): void {
    const { fee, signatureCount, error } = scope.transaction;
    this.#fees += fee;
    const priorityFee = fee - BASE_FEE_PER_SIGNATURE * BigInt(signatureCount);
    if (priorityFee > 0n) this.#priorityFees += priorityFee;
    if (error !== null) this.#failed++;
    else if (scope.tips.total > 0n) this.#addTips(scope);
  }

  #addTips(scope: TransactionScope): void {
    const { tips, total } = scope.tips;
    this.#tips += total;
    const counted: MutableTotal[] = [];
    const firsts: FirstTipped[] = [];
    for (const { wallet, lamports } of tips) {
      const sum = this.#sumOf(wallet);
      const provider = tipProvider(wallet);
      const first = firsts.find((each) => each.provider === provider);
      sum.lamports += lamports;
      if (!counted.includes(sum)) {
        sum.count++;
        if (first !== undefined) sum.repeated++;
        counted.push(sum);
      }
      if (first === undefined) {
        sum.paid.push(lamports);
        firsts.push({ provider, sum });
      } else first.sum.paid[first.sum.paid.length - 1]! += lamports;
    }
  }

  #sumOf(tipWallet: Address): MutableTotal {
    let sum = this.#tipsByWallet.get(tipWallet);
    if (sum === undefined) {
      sum = { tipWallet, count: 0, repeated: 0, lamports: 0n, paid: [] };
      this.#tipsByWallet.set(tipWallet, sum);
    }
    return sum;
  }

  total(block: Block): BlockEconomics {
    const tipsByWallet: TipTotal[] = [...this.#tipsByWallet.values()].sort((a, b) =>
      compareAddresses(a.tipWallet, b.tipWallet),
    );
    return {
      transactions: block.transactions.length,
      failed: this.#failed,
      votes: block.voteCount,
      fees: this.#fees,
      priorityFees: this.#priorityFees,
      tips: this.#tips,
      tipsByWallet,
    };
  }
}
