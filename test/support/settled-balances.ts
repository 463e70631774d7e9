import type { Address } from '../../src/chain/address.ts';
import type { Transaction } from '../../src/chain/block.ts';
import { readSystemInstruction } from '../../src/programs/system/instructions.ts';

/** A transaction's own balances, which are independent of every event: the chain itself settled them. */
export class SettledBalances {
  readonly #transaction: Transaction;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  lamports(account: Address | undefined): bigint {
    const index = account === undefined ? -1 : this.#transaction.keys.indexOf(account);
    return index < 0 ? 0n : this.#transaction.postBalances.at(index)! - this.#transaction.preBalances.at(index)!;
  }

  /** Over all accounts of an owner. */
  tokens(owner: Address, mint: Address): bigint {
    return this.#transaction.tokenBalances
      .filter((balance) => balance.mint === mint && (balance.postOwner ?? balance.preOwner) === owner)
      .reduce((sum, balance) => sum + balance.post - balance.pre, 0n);
  }

  /** After the transaction, over all accounts of an owner. */
  held(owner: Address, mint: Address): bigint {
    return this.#transaction.tokenBalances
      .filter((balance) => balance.mint === mint && balance.postOwner === owner)
      .reduce((sum, balance) => sum + balance.post, 0n);
  }

  account(account: Address | undefined): bigint {
    const index = account === undefined ? -1 : this.#transaction.keys.indexOf(account);
    const found = this.#transaction.tokenBalances.find((balance) => balance.accountIndex === index);
    return found === undefined ? 0n : found.post - found.pre;
  }

  /** Rent that a creation in the same transaction gave an account. */
  rent(account: Address): bigint {
    let rent = 0n;
    for (const instruction of this.#transaction.instructions) {
      const read = readSystemInstruction(this.#transaction, instruction);
      if (read?.kind === 'create_account' && this.#transaction.keys.at(read.to) === account) rent += read.lamports;
    }
    return rent;
  }
}
