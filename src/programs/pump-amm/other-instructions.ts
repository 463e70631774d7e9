import type { InstructionTable } from '../instruction-table.ts';

/** Fees, creators, configuration and volume accounts. */
export const OTHER_INSTRUCTIONS = {
  admin_cto_pool: {
    discriminator: '2d3da597680031bd',
    fields: { coinCreator: 'address', isHolderReward: 'bool', creatorFeeBps: { option: 'u64' } },
    accounts: 'payer globalConfig pool poolAuthority systemProgram eventAuthority program',
  },
  admin_update_token_incentives: {
    discriminator: 'd10b7357d5177ccc',
    fields: { startTime: 'i64', endTime: 'i64', secondsInADay: 'i64', dayNumber: 'u64', tokenSupplyPerDay: 'u64' },
    accounts:
      'admin globalConfig globalVolumeAccumulator mint globalIncentiveTokenAccount associatedTokenProgram systemProgram tokenProgram eventAuthority program',
  },
  claim_cashback: {
    discriminator: '253a237ebe35e4c5',
    fields: {},
    accounts:
      'user userVolumeAccumulator quoteMint quoteTokenProgram userVolumeAccumulatorWsolTokenAccount userWsolTokenAccount systemProgram eventAuthority program',
  },
  claim_token_incentives: {
    discriminator: '1004471ccc01281b',
    fields: {},
    accounts:
      'user userAta globalVolumeAccumulator globalIncentiveTokenAccount userVolumeAccumulator mint tokenProgram systemProgram associatedTokenProgram eventAuthority program payer',
  },
  close_user_volume_accumulator: {
    discriminator: 'f945a4da9667548a',
    fields: {},
    accounts: 'user userVolumeAccumulator eventAuthority program',
  },
  collect_coin_creator_fee: {
    discriminator: 'a039592ab58b2b42',
    fields: {},
    accounts:
      'quoteMint quoteTokenProgram coinCreator coinCreatorVaultAuthority coinCreatorVaultAta coinCreatorTokenAccount eventAuthority program',
  },
  create_config: {
    discriminator: 'c9cff3724b6f2fbd',
    fields: {
      lpFeeBasisPoints: 'u64',
      protocolFeeBasisPoints: 'u64',
      protocolFeeRecipients: { array: 'address', length: 8 },
    },
    appended: [
      { since: '2025-05-08', fields: { coinCreatorFeeBasisPoints: 'u64' } },
      { since: '2025-07-26', fields: { adminSetCoinCreatorAuthority: 'address' } },
    ],
    accounts: 'admin globalConfig systemProgram eventAuthority program',
  },
  disable: {
    discriminator: 'b9adbb5ad80feee9',
    fields: {
      disableCreatePool: 'bool',
      disableDeposit: 'bool',
      disableWithdraw: 'bool',
      disableBuy: 'bool',
      disableSell: 'bool',
    },
    accounts: 'admin globalConfig eventAuthority program',
  },
  extend_account: {
    discriminator: 'ea66c2cb96483ee5',
    fields: {},
    accounts: 'account user systemProgram eventAuthority program',
  },
  init_user_volume_accumulator: {
    discriminator: '5e06ca73ff60e8b7',
    fields: {},
    accounts: 'payer user userVolumeAccumulator systemProgram eventAuthority program',
  },
  migrate_pool_coin_creator: {
    discriminator: 'd0089f044aaf103a',
    fields: {},
    accounts: 'pool sharingConfig eventAuthority program',
  },
  set_boost_authority: {
    discriminator: 'e3954c2a8227eacd',
    fields: {},
    accounts: 'admin globalConfig boostAuthority systemProgram eventAuthority program',
  },
  set_coin_creator: {
    discriminator: 'd295802dbc3a4eaf',
    fields: {},
    accounts: 'pool metadata bondingCurve eventAuthority program',
  },
  set_reserved_fee_recipients: {
    discriminator: '6faca2e87259d58e',
    fields: { whitelistPda: 'address' },
    accounts: 'globalConfig admin eventAuthority program',
  },
  sync_user_volume_accumulator: {
    discriminator: '561fc057a3574fee',
    fields: {},
    accounts: 'user globalVolumeAccumulator userVolumeAccumulator eventAuthority program',
  },
  toggle_boost: {
    discriminator: '75a1a04adf897663',
    fields: { enabled: 'bool' },
    accounts: 'admin globalConfig',
  },
  toggle_cashback_enabled: {
    discriminator: '7367e0ffbd5956c3',
    fields: { enabled: 'bool' },
    accounts: 'admin globalConfig eventAuthority program',
  },
  toggle_mayhem_mode: {
    discriminator: '01096fd0641fffa3',
    fields: { enabled: 'bool' },
    accounts: 'admin globalConfig eventAuthority program',
  },
  transfer_creator_fees_to_pump: {
    discriminator: '8b348655e4e56cf1',
    fields: {},
    accounts:
      'wsolMint tokenProgram systemProgram associatedTokenProgram coinCreator coinCreatorVaultAuthority coinCreatorVaultAta pumpCreatorVault eventAuthority program',
  },
  transfer_creator_fees_to_pump_v2: {
    discriminator: '01214eb921432c5c',
    fields: {},
    accounts:
      'payer quoteMint tokenProgram systemProgram associatedTokenProgram coinCreator coinCreatorVaultAuthority coinCreatorVaultAta pumpCreatorVault pumpCreatorVaultAta eventAuthority program',
  },
  update_admin: {
    discriminator: 'a1b028d53cb8b3e4',
    fields: {},
    accounts: 'admin globalConfig newAdmin eventAuthority program',
  },
  update_buyback_config: {
    discriminator: 'fbe0ab92a01a71e9',
    fields: { buybackBasisPoints: { option: 'u64' } },
    accounts: 'admin globalConfig eventAuthority program',
  },
  update_creator_fee_config: {
    discriminator: '3dafa0f9424288af',
    fields: { creatorFeeConfigurable: 'bool', maxConfigurableCreatorFeeBps: 'u64' },
    accounts: 'admin globalConfig systemProgram eventAuthority program',
  },
  update_fee_config: {
    discriminator: '68b867f258976b14',
    fields: {
      lpFeeBasisPoints: 'u64',
      protocolFeeBasisPoints: 'u64',
      protocolFeeRecipients: { array: 'address', length: 8 },
    },
    appended: [
      { since: '2025-05-08', fields: { coinCreatorFeeBasisPoints: 'u64' } },
      { since: '2025-07-26', fields: { adminSetCoinCreatorAuthority: 'address' } },
    ],
    accounts: 'admin globalConfig eventAuthority program',
  },
  sweep_protocol_fee: {
    discriminator: '0830be07b644b7e5',
    fields: {},
    accounts:
      'payer globalConfig pool quoteMint quoteTokenProgram poolQuoteTokenAccount recipient recipientTokenAccount systemProgram associatedTokenProgram eventAuthority program',
  },
  sweep_creator_fee: {
    discriminator: '20f6bf3408c949ba',
    fields: {},
    accounts:
      'payer globalConfig pool quoteMint quoteTokenProgram poolQuoteTokenAccount recipient recipientTokenAccount systemProgram associatedTokenProgram eventAuthority program',
  },
  admin_set_coin_creator: {
    discriminator: 'f228759149606968',
    fields: {},
    accounts: '',
  },
  set_coin_creator_fee_bps: {
    discriminator: '4259caed08769ea9',
    fields: {},
    accounts: '',
  },
  admin_set_coin_creator_fee_editable: {
    discriminator: 'cc4156cf6e54ef68',
    fields: {},
    accounts: '',
  },
} as const satisfies InstructionTable;
