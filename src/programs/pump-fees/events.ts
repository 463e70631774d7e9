import type { LayoutTable } from '../layout.ts';
import { FEE_TIER, FEES, SHAREHOLDER } from './structs.ts';

/** Events of the fee program. */
export const PUMP_FEES_EVENTS = {
  CreateFeeSharingConfigEvent: {
    discriminator: '8569aac8b874fb58',
    fields: {
      timestamp: 'i64',
      mint: 'address',
      bondingCurve: 'address',
      pool: { option: 'address' },
      sharingConfig: 'address',
      admin: 'address',
      initialShareholders: { vec: SHAREHOLDER },
      status: 'u8',
    },
  },
  DonationFeePdaCranked: {
    discriminator: '1ed06b5db100df4e',
    fields: {
      timestamp: 'i64',
      signer: 'address',
      donationFeePda: 'address',
      configId: 'address',
      baseMint: 'address',
      quoteMint: 'address',
      creator: 'address',
      amount: 'u64',
    },
  },
  DonationFeePdaCreated: {
    discriminator: '5e1489ef234de1eb',
    fields: {
      timestamp: 'i64',
      createdBy: 'address',
      donationFeePda: 'address',
      configId: 'address',
      baseMint: 'address',
      quoteMint: 'address',
      creator: 'address',
    },
  },
  ExtendFeeConfigEvent: {
    discriminator: 'e2cbe023990a5833',
    fields: { feeConfig: 'address', user: 'address', currentSize: 'u64', newSize: 'u64', timestamp: 'i64' },
  },
  InitializeFeeConfigEvent: {
    discriminator: '598af4e60a38e27e',
    fields: { timestamp: 'i64', admin: 'address', feeConfig: 'address' },
  },
  InitializeFeeProgramGlobalEvent: {
    discriminator: '28e99c4e5f0008c7',
    fields: {
      timestamp: 'i64',
      authority: 'address',
      socialClaimAuthority: 'address',
      disableFlags: 'u8',
      claimRateLimit: 'u64',
    },
  },
  ResetFeeSharingConfigEvent: {
    discriminator: 'cbcc97e27837d6f3',
    fields: {
      timestamp: 'i64',
      mint: 'address',
      sharingConfig: 'address',
      oldAdmin: 'address',
      oldShareholders: { vec: SHAREHOLDER },
      newAdmin: 'address',
      newShareholders: { vec: SHAREHOLDER },
    },
    appended: [{ since: '2026-03-19', fields: { oldVersion: 'u8', newVersion: 'u8' } }],
  },
  SetAuthorityEvent: {
    discriminator: '12af8442d0c957f2',
    fields: { timestamp: 'i64', oldAuthority: 'address', newAuthority: 'address' },
  },
  SetClaimRateLimitEvent: {
    discriminator: '0d8f8febb5133328',
    fields: { timestamp: 'i64', claimRateLimit: 'u64' },
  },
  SetDisableFlagsEvent: {
    discriminator: '0508b3413137917e',
    fields: { timestamp: 'i64', disableFlags: 'u8' },
  },
  SetExoticFlatFeesEvent: {
    discriminator: 'c38a6c0f084d4409',
    fields: { timestamp: 'i64', admin: 'address', feeConfig: 'address', exoticFlatFees: FEES },
  },
  SetSocialClaimAuthorityEvent: {
    discriminator: '3c767f84ef34fe0e',
    fields: { timestamp: 'i64', socialClaimAuthority: 'address' },
  },
  SocialFeePdaClaimed: {
    discriminator: '3212c141edd2eaec',
    fields: {
      timestamp: 'i64',
      userId: 'string',
      platform: 'u8',
      socialFeePda: 'address',
      recipient: 'address',
      socialClaimAuthority: 'address',
      amountClaimed: 'u64',
      claimableBefore: 'u64',
      lifetimeClaimed: 'u64',
      recipientBalanceBefore: 'u64',
      recipientBalanceAfter: 'u64',
    },
    appended: [{ since: '2026-05-19', fields: { quoteMint: 'address', lifetimeStableClaimed: 'u64' } }],
  },
  SocialFeePdaCreated: {
    discriminator: 'b7b7da93187c89a9',
    fields: { timestamp: 'i64', userId: 'string', platform: 'u8', socialFeePda: 'address', createdBy: 'address' },
  },
  SweepBuybackEvent: {
    discriminator: '2b382ad69939a689',
    fields: {
      index: 'u8',
      solAmount: 'u64',
      tokenAmount: 'u64',
      destination: 'address',
      buybackVault: 'address',
      mint: 'address',
    },
  },
  UpdateAdminEvent: {
    discriminator: 'e198ab57f63f42ea',
    fields: { timestamp: 'i64', oldAdmin: 'address', newAdmin: 'address' },
  },
  UpdateFeeConfigEvent: {
    discriminator: '5a1741233ef4bcd0',
    fields: { timestamp: 'i64', admin: 'address', feeConfig: 'address', feeTiers: { vec: FEE_TIER }, flatFees: FEES },
  },
  UpdateFeeSharesEvent: {
    discriminator: '15bac4b85be4e1cb',
    fields: {
      timestamp: 'i64',
      mint: 'address',
      sharingConfig: 'address',
      admin: 'address',
      newShareholders: { vec: SHAREHOLDER },
    },
    appended: [{ since: '2026-03-19', fields: { version: 'u8' } }],
  },
  UpdateStableFeeConfigEvent: {
    discriminator: '5e052bed6793e8f5',
    fields: {
      timestamp: 'i64',
      admin: 'address',
      feeConfig: 'address',
      stableFeeTiers: { vec: FEE_TIER },
      flatFees: FEES,
    },
  },
  UpsertFeeTiersEvent: {
    discriminator: 'ab59a9bb7aba21cc',
    fields: { timestamp: 'i64', admin: 'address', feeConfig: 'address', feeTiers: { vec: FEE_TIER }, offset: 'u8' },
  },
  UpsertStableFeeTiersEvent: {
    discriminator: 'e8eded34629249f3',
    fields: {
      timestamp: 'i64',
      admin: 'address',
      feeConfig: 'address',
      stableFeeTiers: { vec: FEE_TIER },
      offset: 'u8',
    },
  },
} as const satisfies LayoutTable;
