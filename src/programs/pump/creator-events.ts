import type { LayoutTable } from '../layout.ts';
import { SHAREHOLDER } from '../pump-fees/structs.ts';

/** Events about the earners of a coin's fees, and the payouts of fees. */
export const CREATOR_EVENTS = {
  SetCreatorEvent: {
    discriminator: 'ed347b25f5fb48d2',
    fields: { timestamp: 'i64', mint: 'address', bondingCurve: 'address', creator: 'address' },
  },
  SetMetaplexCreatorEvent: {
    discriminator: '8ecb06207f69bfa2',
    fields: { timestamp: 'i64', mint: 'address', bondingCurve: 'address', metadata: 'address', creator: 'address' },
  },
  MigrateBondingCurveCreatorEvent: {
    discriminator: '9ba768dcd56cf303',
    fields: {
      timestamp: 'i64',
      mint: 'address',
      bondingCurve: 'address',
      sharingConfig: 'address',
      oldCreator: 'address',
      newCreator: 'address',
    },
  },
  AdminSetCreatorEvent: {
    discriminator: '4045c0681d1e196b',
    fields: {
      timestamp: 'i64',
      adminSetCreatorAuthority: 'address',
      mint: 'address',
      bondingCurve: 'address',
      oldCreator: 'address',
      newCreator: 'address',
    },
  },
  AdminCtoEvent: {
    discriminator: '6e7ce262aaff1178',
    fields: {
      timestamp: 'i64',
      authority: 'address',
      mint: 'address',
      bondingCurve: 'address',
      oldCreator: 'address',
      newCreator: 'address',
      isHolderReward: 'bool',
      isCashbackCoin: 'bool',
      oldCreatorFeeBps: 'u64',
      newCreatorFeeBps: 'u64',
      sharingConfigReset: 'bool',
      sweptToHolderVault: 'u64',
      poolUpdated: 'bool',
    },
  },
  CollectCreatorFeeEvent: {
    discriminator: '7a027f010ebf0caf',
    fields: { timestamp: 'i64', creator: 'address', creatorFee: 'u64' },
    appended: [{ since: '2026-05-19', fields: { quoteMint: 'address' } }],
  },
  DistributeCreatorFeesEvent: {
    discriminator: 'a537817004b3ca28',
    fields: {
      timestamp: 'i64',
      mint: 'address',
      bondingCurve: 'address',
      sharingConfig: 'address',
      admin: 'address',
      shareholders: { vec: SHAREHOLDER },
      distributed: 'u64',
    },
    appended: [{ since: '2026-05-19', fields: { quoteMint: 'address' } }],
  },
  DistributeFeeToHoldersEvent: {
    discriminator: 'e3bed7ceb0b4a584',
    fields: { timestamp: 'i64', mint: 'address', quoteMint: 'address', recipients: 'u64', total: 'u64' },
  },
  MinimumDistributableFeeEvent: {
    discriminator: 'a8d884efebb63134',
    fields: { minimumRequired: 'u64', distributableFees: 'u64', canDistribute: 'bool' },
  },
  SweepBondingCurveFeeEvent: {
    discriminator: '742b4dbd117a482b',
    fields: {
      timestamp: 'i64',
      mint: 'address',
      bondingCurve: 'address',
      quoteMint: 'address',
      recipient: 'address',
      amount: 'u64',
      bucket: 'u8',
    },
  },
  SetCreatorFeeBpsEvent: {
    discriminator: '35a1d7b164767b2d',
    fields: {
      timestamp: 'i64',
      authority: 'address',
      mint: 'address',
      bondingCurve: 'address',
      oldCreatorFeeBps: 'u64',
      newCreatorFeeBps: 'u64',
    },
  },
  AdminSetCreatorFeeEditableEvent: {
    discriminator: '9757ff2c91d640cd',
    fields: { timestamp: 'i64', adminSetCreatorAuthority: 'address', mint: 'address', bondingCurve: 'address' },
  },
  ClaimCashbackEvent: {
    discriminator: 'e2d6f62107f293e5',
    fields: { user: 'address', amount: 'u64', timestamp: 'i64', totalClaimed: 'u64', totalCashbackEarned: 'u64' },
  },
} as const satisfies LayoutTable;
