import type { Address } from '../chain/address.ts';
import { tipProvider } from '../programs/registry/index.ts';

/** Tips of one wallet. */
export interface TipSum {
  readonly tip_wallet: Address | '';
  /** Transactions that tipped it. */
  readonly count: bigint;
  /** Those that tipped another wallet of its provider before it. */
  readonly repeated: bigint;
  readonly lamports: bigint;
}

export interface ProviderSum {
  readonly provider: string;
  /** Transactions that tipped it. */
  readonly count: bigint;
  readonly lamports: bigint;
}

/** Wallets of one provider together, largest sum first. */
export function byProvider(wallets: readonly TipSum[]): ProviderSum[] {
  const sums = new Map<string, ProviderSum>();
  for (const { tip_wallet, count, repeated, lamports } of wallets) {
    const provider = (tip_wallet === '' ? undefined : tipProvider(tip_wallet)) ?? 'unknown';
    const sum = sums.get(provider) ?? { provider, count: 0n, lamports: 0n };
    sums.set(provider, { provider, count: sum.count + count - repeated, lamports: sum.lamports + lamports });
  }
  return [...sums.values()].sort((a, b) => Number(b.lamports - a.lamports) || (a.provider < b.provider ? -1 : 1));
}
