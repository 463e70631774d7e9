import type { Address } from '../../chain/address.ts';
import type { Confidence } from './entry.ts';
import { indexEntries, trustedRows } from './entry.ts';
import data from './tip-accounts.json' with { type: 'json' };

export interface TipAccount {
  readonly address: Address;
  /** The landing service, such as `Jito`. */
  readonly provider: string;
  readonly confidence: Confidence;
}

export interface TipProvider {
  readonly provider: string;
  /** Smallest tip the service acts on, lamports; undefined when it does not say. */
  readonly minimumTipLamports: number | undefined;
  readonly accounts: readonly TipAccount[];
}

export const TIP_PROVIDERS: readonly TipProvider[] = data.entries.map((entry) => ({
  provider: entry.provider,
  minimumTipLamports: entry.minimumTipLamports,
  accounts: entry.accounts.map((account) => ({
    address: account.address as Address,
    provider: entry.provider,
    confidence: account.confidence as Confidence,
  })),
}));

const ACCOUNTS = indexEntries(
  trustedRows(TIP_PROVIDERS.flatMap((provider) => provider.accounts)),
  (account) => account.address,
);

/** The service that takes tips on this account. */
export function tipProvider(account: Address): string | undefined {
  return ACCOUNTS.get(account)?.provider;
}
