import { type AccountReader, compileAccountReader } from '../account-reader.ts';
import type { DataOf, LayoutTable } from '../layout.ts';

/** Accounts of the launchpad. Every one of them so far has grown at its end alone. */
export const PUMP_ACCOUNTS = {
  BondingCurve: {
    discriminator: '17b7f83760d8ac60',
    fields: {
      virtualTokenReserves: 'u64',
      virtualQuoteReserves: 'u64',
      realTokenReserves: 'u64',
      realQuoteReserves: 'u64',
      /** Tokens that the curve was given to sell: half a mayhem coin's supply. */
      tokenTotalSupply: 'u64',
      complete: 'bool',
    },
    appended: [
      { since: '2025-05-08', fields: { creator: 'address' } },
      { since: '2025-11-07', fields: { isMayhemMode: 'bool' } },
      { since: '2026-02-17', fields: { isCashbackCoin: 'bool' } },
      { since: '2026-05-07', fields: { quoteMint: 'address' } },
      { since: 'pump-sdk 1.37.0', fields: { creatorFeeBps: 'u64', canEditCreatorFee: 'bool' } },
      { since: 'pump-sdk 2.0.0', fields: { isHolderReward: 'bool' } },
      {
        since: '2026-10-02',
        fields: {
          creatorFee: 'u64',
          protocolFees: 'u64',
          depth: 'u8',
          initialVirtualQuoteReserves: 'u64',
          postCompleteBaseOut: 'u64',
          postCompleteQuoteIn: 'u64',
        },
      },
    ],
  },
} as const satisfies LayoutTable;

export type BondingCurveAccount = DataOf<typeof PUMP_ACCOUNTS.BondingCurve>;

/** Of an account that the pump program owns. */
export const readBondingCurve: AccountReader<BondingCurveAccount> = compileAccountReader(PUMP_ACCOUNTS.BondingCurve);
