import type { LayoutTable } from '../layout.ts';

/** Events about the earners of a pool's fees, payouts of fees, configuration, and users' volume accounts. */
export const ACCOUNT_EVENTS = {
  AdminCtoPoolEvent: {
    discriminator: '2f23a3f9969d937a',
    fields: {
      timestamp: 'i64',
      baseMint: 'address',
      pool: 'address',
      oldCoinCreator: 'address',
      newCoinCreator: 'address',
      isHolderReward: 'bool',
      isCashbackCoin: 'bool',
      oldCreatorFeeBps: 'u64',
      newCreatorFeeBps: 'u64',
    },
  },
  AdminUpdateTokenIncentivesEvent: {
    discriminator: '93fa6c78f71d43de',
    fields: { startTime: 'i64', endTime: 'i64', dayNumber: 'u64', tokenSupplyPerDay: 'u64' },
    appended: [{ since: '2025-08-02', fields: { mint: 'address', secondsInADay: 'i64', timestamp: 'i64' } }],
  },
  ClaimCashbackEvent: {
    discriminator: 'e2d6f62107f293e5',
    fields: { user: 'address', amount: 'u64', timestamp: 'i64', totalClaimed: 'u64', totalCashbackEarned: 'u64' },
  },
  ClaimTokenIncentivesEvent: {
    discriminator: '4facf631cd5bcee8',
    fields: { user: 'address', mint: 'address', amount: 'u64' },
    appended: [
      { since: '2025-08-02', fields: { timestamp: 'i64' } },
      { since: '2025-08-28', fields: { totalClaimedTokens: 'u64', currentSolVolume: 'u64' } },
    ],
  },
  CloseUserVolumeAccumulatorEvent: {
    discriminator: '929fbdac925838f4',
    fields: { user: 'address', timestamp: 'i64' },
    appended: [
      {
        since: '2025-08-28',
        fields: {
          totalUnclaimedTokens: 'u64',
          totalClaimedTokens: 'u64',
          currentSolVolume: 'u64',
          lastUpdateTimestamp: 'i64',
        },
      },
    ],
  },
  CollectCoinCreatorFeeEvent: {
    discriminator: 'e8f5c2eeeada3a59',
    fields: {
      timestamp: 'i64',
      coinCreator: 'address',
      coinCreatorFee: 'u64',
      coinCreatorVaultAta: 'address',
      coinCreatorTokenAccount: 'address',
    },
  },
  CreateConfigEvent: {
    discriminator: '6b34598137e25116',
    fields: {
      timestamp: 'i64',
      admin: 'address',
      lpFeeBasisPoints: 'u64',
      protocolFeeBasisPoints: 'u64',
      protocolFeeRecipients: { array: 'address', length: 8 },
    },
    appended: [
      { since: '2025-05-08', fields: { coinCreatorFeeBasisPoints: 'u64' } },
      { since: '2025-07-26', fields: { adminSetCoinCreatorAuthority: 'address' } },
    ],
  },
  DisableEvent: {
    discriminator: '6bfdc14ce4ca1b68',
    fields: {
      timestamp: 'i64',
      admin: 'address',
      disableCreatePool: 'bool',
      disableDeposit: 'bool',
      disableWithdraw: 'bool',
      disableBuy: 'bool',
      disableSell: 'bool',
    },
  },
  ExtendAccountEvent: {
    discriminator: '6161d7905d92167c',
    fields: { timestamp: 'i64', account: 'address', user: 'address', currentSize: 'u64', newSize: 'u64' },
  },
  InitUserVolumeAccumulatorEvent: {
    discriminator: '86240d48e86582d8',
    fields: { payer: 'address', user: 'address', timestamp: 'i64' },
  },
  MigratePoolCoinCreatorEvent: {
    discriminator: 'aadd52c793a5f72e',
    fields: {
      timestamp: 'i64',
      baseMint: 'address',
      pool: 'address',
      sharingConfig: 'address',
      oldCoinCreator: 'address',
      newCoinCreator: 'address',
    },
  },
  ReservedFeeRecipientsEvent: {
    discriminator: '2bbcfa12dd4bbb5f',
    fields: {
      timestamp: 'i64',
      reservedFeeRecipient: 'address',
      reservedFeeRecipients: { array: 'address', length: 7 },
    },
  },
  SetBondingCurveCoinCreatorEvent: {
    discriminator: 'f2e7eb664163bdd3',
    fields: { timestamp: 'i64', baseMint: 'address', pool: 'address', bondingCurve: 'address', coinCreator: 'address' },
  },
  SetBoostAuthorityEvent: {
    discriminator: '5980f08d5bca4769',
    fields: { timestamp: 'i64', admin: 'address', oldBoostAuthority: 'address', newBoostAuthority: 'address' },
  },
  SetMetaplexCoinCreatorEvent: {
    discriminator: '966bc77b7ccf66e4',
    fields: { timestamp: 'i64', baseMint: 'address', pool: 'address', metadata: 'address', coinCreator: 'address' },
  },
  SyncUserVolumeAccumulatorEvent: {
    discriminator: 'c57aa77c74515bff',
    fields: { user: 'address', totalClaimedTokensBefore: 'u64', totalClaimedTokensAfter: 'u64' },
    appended: [{ since: '2025-08-02', fields: { timestamp: 'i64' } }],
  },
  UpdateAdminEvent: {
    discriminator: 'e198ab57f63f42ea',
    fields: { timestamp: 'i64', admin: 'address', newAdmin: 'address' },
  },
  UpdateCreatorFeeConfigEvent: {
    discriminator: '98c67c7c6af67fbf',
    fields: { timestamp: 'i64', admin: 'address', creatorFeeConfigurable: 'bool', maxConfigurableCreatorFeeBps: 'u64' },
  },
  UpdateFeeConfigEvent: {
    discriminator: '5a1741233ef4bcd0',
    fields: {
      timestamp: 'i64',
      admin: 'address',
      lpFeeBasisPoints: 'u64',
      protocolFeeBasisPoints: 'u64',
      protocolFeeRecipients: { array: 'address', length: 8 },
    },
    appended: [
      { since: '2025-05-08', fields: { coinCreatorFeeBasisPoints: 'u64' } },
      { since: '2025-07-26', fields: { adminSetCoinCreatorAuthority: 'address' } },
    ],
  },
  SweepPoolFeeEvent: {
    discriminator: '82a42461e48287a5',
    fields: {
      timestamp: 'i64',
      pool: 'address',
      baseMint: 'address',
      quoteMint: 'address',
      recipient: 'address',
      payer: 'address',
      amount: 'u64',
      bucket: 'u8',
    },
  },
} as const satisfies LayoutTable;
