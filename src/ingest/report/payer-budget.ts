import type { Address } from '../../chain/address.ts';
import { hashOf } from './spread.ts';

/** How many accounts each payer may still speak for today, in bounded memory. */
export interface PayerBudget {
  /** Spends one of the payer's; false when there is none left. */
  spend(payer: Address): boolean;
  /** Gives everybody all of it again. */
  renew(): void;
}

/** Payers share a counter by chance: with a hundred thousand of them a day, most have one to two beside them. */
const COUNTERS = 65_536;

/** `each` is at most 255. */
export function createPayerBudget(each: number): PayerBudget {
  const spent = new Uint8Array(COUNTERS);
  return {
    spend(payer) {
      const place = hashOf(payer) % COUNTERS;
      const before = spent[place] ?? 0;
      if (before >= each) return false;
      spent[place] = before + 1;
      return true;
    },
    renew: () => void spent.fill(0),
  };
}
