import { type AccountReader, compileAccountReader } from '../account-reader.ts';
import type { DataOf, LayoutTable } from '../layout.ts';

/** Accounts of PumpSwap. */
export const PUMP_AMM_ACCOUNTS = {
  Pool: {
    discriminator: 'f19a6d0411b16dbc',
    fields: {
      poolBump: 'u8',
      index: 'u16',
      creator: 'address',
      baseMint: 'address',
      quoteMint: 'address',
      lpMint: 'address',
      poolBaseTokenAccount: 'address',
      poolQuoteTokenAccount: 'address',
      lpSupply: 'u64',
    },
    appended: [
      { since: '2025-05-08', fields: { coinCreator: 'address' } },
      { since: '2025-11-07', fields: { isMayhemMode: 'bool' } },
      { since: '2026-02-17', fields: { isCashbackCoin: 'bool' } },
      /** Negative where fees that wait in the vault outweigh the boost. */
      { since: 'swap-sdk 1.19.0', fields: { virtualQuoteReserves: 'i128' } },
      { since: 'swap-sdk 1.20.0', fields: { creatorFeeBps: 'u64', canEditCreatorFee: 'bool' } },
      { since: 'pump-sdk 2.0.0', fields: { isHolderReward: 'bool' } },
      { since: '2026-10-02', fields: { protocolFees: 'u64', creatorFees: 'u64' } },
    ],
  },
} as const satisfies LayoutTable;

export type PoolAccount = DataOf<typeof PUMP_AMM_ACCOUNTS.Pool>;

/** Of an account that PumpSwap owns. */
export const readPool: AccountReader<PoolAccount> = compileAccountReader(PUMP_AMM_ACCOUNTS.Pool);
