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
    const providers: (string | undefined)[] = [];
    for (const tip of tips) {
      let sum = this.#tipsByWallet.get(tip.wallet);
      if (sum === undefined) {
        sum = { tipWallet: tip.wallet, count: 0, repeated: 0, lamports: 0n };
        this.#tipsByWallet.set(tip.wallet, sum);
      }
      sum.lamports += tip.lamports;
      if (counted.includes(sum)) continue;
      sum.count++;
      counted.push(sum);
      const provider = tipProvider(tip.wallet);
      if (providers.includes(provider)) sum.repeated++;
      else providers.push(provider);
    }
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
