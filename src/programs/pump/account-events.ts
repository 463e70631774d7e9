import type { LayoutTable } from '../layout.ts';

/** Configuration of the program, and its users' volume accounts. */
export const ACCOUNT_EVENTS = {
  AddQuoteControlMintEvent: {
    discriminator: 'a4af574a582d213e',
    fields: {
      quoteControl: 'address',
      authority: 'address',
      quoteMint: 'address',
      initialVirtualQuoteReserves: 'u64',
      timestamp: 'i64',
    },
  },
  AdminSetIdlAuthorityEvent: {
    discriminator: 'f53b46224bb96d5c',
    fields: { idlAuthority: 'address' },
  },
  AdminUpdateTokenIncentivesEvent: {
    discriminator: '93fa6c78f71d43de',
    fields: { startTime: 'i64', endTime: 'i64', dayNumber: 'u64', tokenSupplyPerDay: 'u64' },
    appended: [{ since: '2025-08-02', fields: { mint: 'address', secondsInADay: 'i64', timestamp: 'i64' } }],
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
  ExtendAccountEvent: {
    discriminator: '6161d7905d92167c',
    fields: { account: 'address', user: 'address', currentSize: 'u64', newSize: 'u64', timestamp: 'i64' },
  },
  InitUserVolumeAccumulatorEvent: {
    discriminator: '86240d48e86582d8',
    fields: { payer: 'address', user: 'address', timestamp: 'i64' },
  },
  RemoveQuoteControlMintEvent: {
    discriminator: '2e21568600d5d130',
    fields: { quoteControl: 'address', authority: 'address', quoteMint: 'address', timestamp: 'i64' },
  },
  ReservedFeeRecipientsEvent: {
    discriminator: '2bbcfa12dd4bbb5f',
    fields: {
      timestamp: 'i64',
      reservedFeeRecipient: 'address',
      reservedFeeRecipients: { array: 'address', length: 7 },
    },
  },
  SetParamsEvent: {
    discriminator: 'dfc39ff63e308f83',
    fields: {
      initialVirtualTokenReserves: 'u64',
      initialVirtualSolReserves: 'u64',
      initialRealTokenReserves: 'u64',
      finalRealSolReserves: 'u64',
      tokenTotalSupply: 'u64',
      feeBasisPoints: 'u64',
      withdrawAuthority: 'address',
      enableMigrate: 'bool',
      poolMigrationFee: 'u64',
    },
    appended: [
      {
        since: '2025-05-08',
        fields: {
          creatorFeeBasisPoints: 'u64',
          feeRecipients: { array: 'address', length: 8 },
          timestamp: 'i64',
          setCreatorAuthority: 'address',
        },
      },
      { since: '2025-07-26', fields: { adminSetCreatorAuthority: 'address' } },
    ],
  },
  SetQuoteControlAdminEvent: {
    discriminator: '4af88d45ca511ef7',
    fields: {
      quoteControl: 'address',
      authority: 'address',
      oldAdmin: 'address',
      newAdmin: 'address',
      timestamp: 'i64',
    },
  },
  SyncUserVolumeAccumulatorEvent: {
    discriminator: 'c57aa77c74515bff',
    fields: { user: 'address', totalClaimedTokensBefore: 'u64', totalClaimedTokensAfter: 'u64' },
    appended: [{ since: '2025-08-02', fields: { timestamp: 'i64' } }],
  },
  UpdateCreatorFeeConfigEvent: {
    discriminator: '98c67c7c6af67fbf',
    fields: {
      timestamp: 'i64',
      authority: 'address',
      creatorFeeConfigurable: 'bool',
      maxConfigurableCreatorFeeBps: 'u64',
    },
  },
  UpdateGlobalAuthorityEvent: {
    discriminator: 'b6c3892a23cecff7',
    fields: { global: 'address', authority: 'address', newAuthority: 'address', timestamp: 'i64' },
  },
  SetQuoteControlMintReservesEvent: {
    discriminator: 'a943276d6686b6e8',
    fields: {
      quoteControl: 'address',
      authority: 'address',
      quoteMint: 'address',
      oldInitialVirtualQuoteReserves: 'u64',
      newInitialVirtualQuoteReserves: 'u64',
      timestamp: 'i64',
    },
  },
  SetQuoteControlReservesAdminEvent: {
    discriminator: '43fbb3b6575ca921',
    fields: {
      quoteControl: 'address',
      authority: 'address',
      oldReservesAdmin: 'address',
      newReservesAdmin: 'address',
      timestamp: 'i64',
    },
  },
} as const satisfies LayoutTable;
