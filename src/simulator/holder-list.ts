import type { Address } from '../chain/address.ts';
import type { Wallet } from './keyring.ts';
import type { Random } from './random.ts';

/** Looks at so many at most before it takes whom it has. */
const MAX_LOOKS = 8;

/** Wallets that got some of a coin at some time, each once. */
export class HolderList {
  readonly #wallets: Wallet[] = [];
  readonly #known = new Set<Address>();

  get size(): number {
    return this.#wallets.length;
  }

  add(wallet: Wallet): void {
    if (this.#known.has(wallet.address)) return;
    this.#known.add(wallet.address);
    this.#wallets.push(wallet);
  }

  /** Any of them, preferably one who still holds. Throws when the list is empty. */
  pick(random: Random, holds: (wallet: Wallet) => boolean): Wallet {
    let wallet = random.pick(this.#wallets);
    for (let looks = 1; looks < MAX_LOOKS && !holds(wallet); looks++) wallet = random.pick(this.#wallets);
    return wallet;
  }

  clear(): void {
    this.#wallets.length = 0;
    this.#known.clear();
  }
}
