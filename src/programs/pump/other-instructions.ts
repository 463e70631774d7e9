import type { InstructionTable } from '../instruction-table.ts';

/** Fees, creators, configuration and volume accounts. */
export const OTHER_INSTRUCTIONS = {
  add_quote_control_mint: {
    discriminator: '020e3d8aaa8e0e5f',
    fields: { quoteMint: 'address', initialVirtualQuoteReserves: 'u64' },
    accounts: 'authority global quoteControl systemProgram eventAuthority program',
  },
  add_quote_mint: {
    discriminator: '6f79153828185ed1',
    fields: { quoteMint: 'address' },
    accounts: 'global authority eventAuthority program',
  },
  admin_cto: {
    discriminator: '7d7ed6864de5bc59',
    fields: { isHolderReward: { option: 'bool' }, creatorFeeBps: { option: 'u64' }, newCreator: { option: 'address' } },
    accounts:
      'adminSetCreatorAuthority global mint quoteMint quoteTokenProgram associatedTokenProgram systemProgram bondingCurve currentCreator currentCreatorQuoteTokenAccount creatorVault creatorVaultQuoteTokenAccount holderCreatorVault holderCreatorVaultQuoteTokenAccount pumpAmm ammGlobalConfig poolAuthority pool pumpAmmEventAuthority coinCreatorVaultAuthority coinCreatorVaultAta sharingConfig pumpFees pumpFeesEventAuthority eventAuthority program',
  },
  admin_set_idl_authority: {
    discriminator: '08d960e79068c005',
    fields: { idlAuthority: 'address' },
    accounts: 'authority global idlAccount systemProgram programSigner eventAuthority program',
  },
  admin_update_token_incentives: {
    discriminator: 'd10b7357d5177ccc',
    fields: { startTime: 'i64', endTime: 'i64', secondsInADay: 'i64', dayNumber: 'u64', pumpTokenSupplyPerDay: 'u64' },
    accounts:
      'authority global globalVolumeAccumulator mint globalIncentiveTokenAccount associatedTokenProgram systemProgram tokenProgram eventAuthority program',
  },
  claim_cashback: {
    discriminator: '253a237ebe35e4c5',
    fields: {},
    accounts: 'user userVolumeAccumulator systemProgram eventAuthority program',
  },
  claim_cashback_v2: {
    discriminator: '7af3cc415e741d37',
    fields: {},
    accounts:
      'user userVolumeAccumulator quoteMint quoteTokenProgram associatedTokenProgram associatedUserVolumeAccumulator associatedQuoteUser systemProgram eventAuthority program',
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
  collect_creator_fee: {
    discriminator: '1416567bc61cdb84',
    fields: {},
    accounts: 'creator creatorVault systemProgram eventAuthority program',
  },
  collect_creator_fee_v2: {
    discriminator: 'cf118af204221338',
    fields: {},
    accounts:
      'creator creatorTokenAccount creatorVault creatorVaultTokenAccount quoteMint quoteTokenProgram associatedTokenProgram systemProgram eventAuthority program',
  },
  distribute_creator_fees: {
    discriminator: 'a572670079cef751',
    fields: {},
    accounts: 'mint bondingCurve sharingConfig creatorVault systemProgram eventAuthority program',
  },
  distribute_creator_fees_v2: {
    discriminator: 'ffcb134ff444089f',
    fields: { initializeAta: 'bool' },
    accounts:
      'payer mint bondingCurve sharingConfig creatorVault systemProgram eventAuthority program creatorVaultQuoteTokenAccount quoteMint quoteTokenProgram associatedTokenProgram',
  },
  distribute_fee_to_holders: {
    discriminator: '623691610246ad2b',
    fields: { amounts: { vec: 'u64' } },
    accounts:
      'global holderRewardClaimAuthority mint holderRewards holderRewardsTokenAccount quoteMint quoteTokenProgram associatedTokenProgram systemProgram eventAuthority program',
  },
  extend_account: {
    discriminator: 'ea66c2cb96483ee5',
    fields: {},
    accounts: 'account user systemProgram eventAuthority program',
  },
  get_minimum_distributable_fee: {
    discriminator: '75e17fca865f4423',
    fields: {},
    accounts: 'mint bondingCurve sharingConfig creatorVault',
  },
  init_user_volume_accumulator: {
    discriminator: '5e06ca73ff60e8b7',
    fields: {},
    accounts: 'payer user userVolumeAccumulator systemProgram eventAuthority program',
  },
  initialize: {
    discriminator: 'afaf6d1f0d989bed',
    fields: {},
    accounts: 'global user systemProgram',
  },
  initialize_quote_control: {
    discriminator: 'ef49f5add1b15442',
    fields: {},
    accounts: 'quoteControl user systemProgram',
  },
  migrate_bonding_curve_creator: {
    discriminator: '577c34bf3426d6e8',
    fields: {},
    accounts: 'mint bondingCurve sharingConfig eventAuthority program',
  },
  remove_quote_control_mint: {
    discriminator: 'df07fd1a51a5daa6',
    fields: { quoteMint: 'address' },
    accounts: 'authority global quoteControl systemProgram eventAuthority program',
  },
  remove_quote_mint: {
    discriminator: 'b141df2658d19e9b',
    fields: { quoteMint: 'address' },
    accounts: 'global authority eventAuthority program',
  },
  set_creator: {
    discriminator: 'fe94ff70cf8eaaa5',
    fields: { creator: 'address' },
    accounts: 'setCreatorAuthority global mint metadata bondingCurve eventAuthority program',
  },
  set_metaplex_creator: {
    discriminator: '8a60aed93055c5f6',
    fields: {},
    accounts: 'mint metadata bondingCurve eventAuthority program',
  },
  set_params: {
    discriminator: '1beab2349302bb8d',
    fields: {
      initialVirtualTokenReserves: 'u64',
      initialVirtualSolReserves: 'u64',
      initialRealTokenReserves: 'u64',
      tokenTotalSupply: 'u64',
      feeBasisPoints: 'u64',
      withdrawAuthority: 'address',
      enableMigrate: 'bool',
      poolMigrationFee: 'u64',
    },
    appended: [
      { since: '2025-05-08', fields: { creatorFeeBasisPoints: 'u64', setCreatorAuthority: 'address' } },
      { since: '2025-07-26', fields: { adminSetCreatorAuthority: 'address' } },
    ],
    accounts: 'global authority eventAuthority program',
  },
  set_quote_control_admin: {
    discriminator: '3e4fa1d3a5aad6d2',
    fields: { newAdmin: 'address' },
    accounts: 'global authority quoteControl eventAuthority program',
  },
  set_reserved_fee_recipients: {
    discriminator: '6faca2e87259d58e',
    fields: { whitelistPda: 'address' },
    accounts: 'global authority eventAuthority program',
  },
  set_virtual_quote_reserves: {
    discriminator: '6587bf6809581460',
    fields: { initialVirtualQuoteReserves: 'u64' },
    accounts: 'global authority eventAuthority program',
  },
  sync_user_volume_accumulator: {
    discriminator: '561fc057a3574fee',
    fields: {},
    accounts: 'user globalVolumeAccumulator userVolumeAccumulator eventAuthority program',
  },
  toggle_cashback_enabled: {
    discriminator: '7367e0ffbd5956c3',
    fields: { enabled: 'bool' },
    accounts: 'global authority eventAuthority program',
  },
  toggle_create_v2: {
    discriminator: '1cffe6f0ac6bcbab',
    fields: { enabled: 'bool' },
    accounts: 'global authority eventAuthority program',
  },
  toggle_mayhem_mode: {
    discriminator: '01096fd0641fffa3',
    fields: { enabled: 'bool' },
    accounts: 'global authority eventAuthority program',
  },
  update_buyback_config: {
    discriminator: 'fbe0ab92a01a71e9',
    fields: { buybackBasisPoints: { option: 'u64' } },
    accounts: 'global authority eventAuthority program',
  },
  update_creator_fee_config: {
    discriminator: '3dafa0f9424288af',
    fields: { creatorFeeConfigurable: 'bool', maxConfigurableCreatorFeeBps: 'u64' },
    accounts: 'global authority eventAuthority program',
  },
  update_global_authority: {
    discriminator: 'e3b54ac4d01561d5',
    fields: {},
    accounts: 'global authority newAuthority eventAuthority program',
  },
  update_holder_reward_config: {
    discriminator: 'e1fc4204c723ec10',
    fields: { isHolderRewardEnabled: 'bool', holderRewardClaimAuthority: 'address' },
    accounts: 'global authority eventAuthority program',
  },
  sweep_protocol_fee: {
    discriminator: '0830be07b644b7e5',
    fields: {},
    accounts:
      'payer global baseMint quoteMint quoteTokenProgram associatedTokenProgram systemProgram bondingCurve associatedQuoteBondingCurve recipient associatedQuoteRecipient eventAuthority program',
  },
  sweep_creator_fee: {
    discriminator: '20f6bf3408c949ba',
    fields: {},
    accounts:
      'payer global baseMint quoteMint quoteTokenProgram associatedTokenProgram systemProgram bondingCurve associatedQuoteBondingCurve recipient associatedQuoteRecipient eventAuthority program',
  },
  set_quote_control_mint_reserves: {
    discriminator: '74dc6b53bf2c2049',
    fields: { quoteMint: 'address', initialVirtualQuoteReserves: 'u64' },
    accounts: 'authority global quoteControl eventAuthority program',
  },
  set_quote_control_reserves_admin: {
    discriminator: 'a1c3dea5e165c03e',
    fields: { newReservesAdmin: 'address' },
    accounts: 'authority global quoteControl eventAuthority program',
  },
  admin_set_creator: {
    discriminator: '4519ab8e39ef0d04',
    fields: {},
    accounts: '',
  },
  admin_set_all_coin_creators: {
    discriminator: 'a3f32be44c517553',
    fields: {},
    accounts: '',
  },
  set_creator_fee_bps: {
    discriminator: '9c0a977111fab10d',
    fields: {},
    accounts: '',
  },
  set_reserved_fee_recipient: {
    discriminator: 'cfbdb247a77a44b4',
    fields: {},
    accounts: '',
  },
  admin_set_creator_fee_editable: {
    discriminator: 'a64a1b349e481830',
    fields: {},
    accounts: '',
  },
} as const satisfies InstructionTable;
