import type { Address } from '../../chain/address.ts';
import type { SwapRow } from '../../store/clickhouse/schema/tables.ts';

/** Columns of a swap that tell a wallet's first buy. */
export type FirstBuy = Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'trader'>;

/** The first wallets that bought, each by its first buy, in order. Buys come in order of place, those of before only once. */
export class FirstBuyers<R extends FirstBuy> {
  readonly #limit: number;
  readonly #buys = new Map<Address | '', R>();

  constructor(limit: number, buys: readonly R[] = []) {
    this.#limit = limit;
    for (const buy of buys) this.add(buy);
  }

  get buys(): readonly R[] {
    return [...this.#buys.values()];
  }

  get size(): number {
    return this.#buys.size;
  }

  /** True once there is room for nobody else. */
  get full(): boolean {
    return this.#buys.size >= this.#limit;
  }

  has(wallet: Address | ''): boolean {
    return this.#buys.has(wallet);
  }

  /** True when the wallet had not bought before, and belongs to the first. */
  add(buy: R): boolean {
    if (this.full || this.#buys.has(buy.trader)) return false;
    this.#buys.set(buy.trader, buy);
    return true;
  }
}
