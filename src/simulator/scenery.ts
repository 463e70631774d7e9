import type { Address } from '../chain/address.ts';

/**
 * Real addresses that play in the simulated chain, so that its transactions
 * resolve to the same providers, routers, exchanges and equities as mainnet's.
 * All but the unregistered router are in the registry.
 */
const addresses = (...list: readonly string[]) => list as readonly string[] as readonly Address[];

export const TIP_WALLETS = addresses(
  '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
  '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
  '3SLDFcdCzMbcFNguZhzmV4zqEAUvcPoKY13akpE4Tq1p',
  '3ZnDTgvVfwzqwWoqAUmDkgVtXvXqjmeb5t9zxD5pMbmv',
  '3UQUKjhMKaY2S6bjcQD6yHB7utcZt5bfarRCmctpRtUd',
);

const tipWallets: ReadonlySet<Address> = new Set(TIP_WALLETS);

export function isTipWallet(address: Address): boolean {
  return tipWallets.has(address);
}

/** Trading platforms that sit above the venue: Axiom, GMGN, Photon, Banana Gun, Bloom, Jupiter. */
export const ROUTERS = addresses(
  'FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9',
  'GMGNreQcJFufBiCTLDBgKhYEfEe9B454UjpDr5CaSLA1',
  'BSfD6SHZigAfDWSjzD5Q41jw8LmKwtmjskPH9XW1mrRW',
  'BANANAjs7FJiPQqJTGFzkZJndT9o7UmKiYYGaJz6frGu',
  'b1oomGGqPKGD6errbyfbVMBuzSC8WtAAYo8MwNafWW1',
  'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
);

/** Hot wallets of Binance, Coinbase, Kraken and OKX: the roots of funding trees. */
export const EXCHANGE_WALLETS = addresses(
  '3gd3dqgtJ4jWfBfLYTX67DALFetjc5iS72sCgRhCkW2u',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  'H8sMJSCQxfKiFTCfDR3DUMLPwcRbM61LGFJ8N4dK3WjS',
  'FWznbcNXWQuHTawe9RxvQ2LdCENssh12dsznf4RiouN5',
  '5VCwKtCXgCJ6kit5FybXjvriW3xELsFDhYrPSqtJNmcD',
);

export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
export const USDC_DECIMALS = 6;

/** An equity and what a share costs in whole dollars when the chain starts. */
export interface SceneryEquity {
  readonly mint: Address;
  readonly decimals: number;
  readonly dollars: number;
}

export const EQUITIES: readonly SceneryEquity[] = [
  { mint: 'XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB' as Address, decimals: 8, dollars: 402 },
  { mint: 'Xsc9qvGR1efVDFGLrVsmkzv3qi45LTBjeUKSPmx9qEh' as Address, decimals: 8, dollars: 181 },
  { mint: 'XsoCS1TfEyfFhfvj8EtZ528L3CaKBDBRqRapnBbDF2W' as Address, decimals: 8, dollars: 667 },
  { mint: 'XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp' as Address, decimals: 8, dollars: 268 },
];

/** Raydium's concentrated-liquidity program, where equities trade against dollars. */
export const CLMM_PROGRAM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK' as Address;

/** AlphaQ, a proprietary market: its vaults own themselves. */
export const PROP_AMM_PROGRAM = 'ALPHAQmeA7bjrVuccPsYPiCvsi428SNwte66Srvs4pHA' as Address;

export const FEE_RECIPIENTS = addresses(
  '62qc2CNXwrYqQScmEdiZFFAnJR262PxWEuNQtxfafNgV',
  '7VtfL8fvgNfhz17qKRMjzQEXgbdpnHHHQRh54R9jP2RJ',
  '7hTckgnGnLQR6sdH7YkqFTAA7VwTfYFaZ6EhEsU3saCX',
  '9rPYyANsfQZw3DnDmKE3YCQF5E8oD89UXoHn9JFEhJUz',
);

export const MAYHEM_FEE_RECIPIENTS = addresses(
  'GesfTA3X2arioaHp8bbKdjG9vJtskViWACZoYvxp4twS',
  '4budycTjhs9fD6xw62VBducVTNgMgJJ5BgtKq7mAZwn6',
);

export const BUYBACK_RECIPIENTS = addresses(
  '5YxQFdt3Tr9zJLvkFccqXVUwhdTWJQc1fFg2YPbxvxeD',
  '9M4giFFMxmFGXtc3feFzRai56WbBqehoSeRE5GK7gf7',
  'GXPFM2caqTtQYC2cJ5yJRi9VDkpsYZXzYdwYpGnLmtDL',
);
