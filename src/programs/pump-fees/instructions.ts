import type { InstructionTable } from '../instruction-table.ts';
import { FEE_TIER, FEES, SHAREHOLDER } from './structs.ts';

/** Instructions of the fee program. */
export const PUMP_FEES_INSTRUCTIONS = {
  admin_cto_sharing_config: {
    discriminator: '3c64909c408ab625',
    fields: { newAdmin: { option: 'address' } },
    accounts: 'poolAuthority authority global mint sharingConfig eventAuthority program',
  },
  claim_social_fee_pda: {
    discriminator: 'e115fb85a11ec7e2',
    fields: { userId: 'string', platform: 'u8' },
    accounts: 'recipient socialFeePda feeProgramGlobal socialClaimAuthority eventAuthority program',
  },
  claim_social_fee_pda_v2: {
    discriminator: '114df0863abc3595',
    fields: { userId: 'string', platform: 'u8' },
    accounts:
      'recipient socialFeePda quoteMint associatedSocialFeePda associatedRecipient quoteTokenProgram associatedTokenProgram feeProgramGlobal socialClaimAuthority systemProgram eventAuthority program',
  },
  crank_donation_fee_pda: {
    discriminator: 'dc0abda7a9111945',
    fields: {},
    accounts:
      'eventAuthority program payer systemProgram tokenProgram associatedTokenProgram rent feeProgramGlobal donationFeePda quoteMint donationFeePdaAta donationRelayProgram donationRelayEventAuthority mintWhitelist epochTracker debouncer debouncerAta',
  },
  create_donation_fee_pda: {
    discriminator: 'f48b10580eff7a1a',
    fields: {},
    accounts:
      'eventAuthority program payer systemProgram feeProgramGlobal donationFeePda configId baseMint bondingCurve pool sharingConfig',
  },
  create_fee_sharing_config: {
    discriminator: 'c34e564c6f34fbd5',
    fields: {},
    accounts:
      'eventAuthority program payer global mint sharingConfig systemProgram bondingCurve pumpProgram pumpEventAuthority pool pumpAmmProgram pumpAmmEventAuthority',
  },
  create_social_fee_pda: {
    discriminator: '90e03bd34ef8cadc',
    fields: { userId: 'string', platform: 'u8' },
    accounts: 'payer socialFeePda systemProgram feeProgramGlobal eventAuthority program',
  },
  extend_fee_config: {
    discriminator: '44b3f45aad3811d9',
    fields: {},
    accounts: 'feeConfig user configProgramId systemProgram eventAuthority program',
  },
  get_fees: {
    discriminator: 'e7257e55cf5b3f34',
    fields: { isPumpPool: 'bool', marketCapLamports: 'u128', tradeSizeLamports: 'u64' },
    appended: [{ since: '2026-05-19', fields: { isNewQuoteMint: 'bool' } }],
    accounts: 'feeConfig configProgramId',
  },
  get_fees_with_quote_mint: {
    discriminator: '9aed8a5ca202a2bb',
    fields: { isPumpPool: 'bool', marketCapLamports: 'u128', quoteMint: 'address' },
    accounts: 'feeConfig configProgramId',
  },
  initialize_buyback: {
    discriminator: 'fa81eca0e3246786',
    fields: { index: 'u8' },
    accounts:
      'payer buybackVault buybackVaultAta systemProgram associatedTokenProgram mint tokenProgram eventAuthority program',
  },
  initialize_fee_config: {
    discriminator: '3ea214857941911b',
    fields: {},
    accounts: 'admin feeConfig systemProgram configProgramId eventAuthority program',
  },
  initialize_fee_program_global: {
    discriminator: '23d78254e9387ca7',
    fields: { socialClaimAuthority: 'address', disableFlags: 'u8', claimRateLimit: 'u64' },
    accounts: 'authority pumpGlobal feeProgramGlobal systemProgram eventAuthority program',
  },
  revoke_fee_sharing_authority: {
    discriminator: '12e99e27b9cf3a68',
    fields: {},
    accounts: '',
  },
  set_authority: {
    discriminator: '85fa25156ea31a79',
    fields: { newAuthority: 'address' },
    accounts: 'authority feeProgramGlobal eventAuthority program',
  },
  set_claim_rate_limit: {
    discriminator: 'b9d39faed4315804',
    fields: { claimRateLimit: 'u64' },
    accounts: 'authority feeProgramGlobal eventAuthority program',
  },
  set_disable_flags: {
    discriminator: 'c2d9702372de33be',
    fields: { disableFlags: 'u8' },
    accounts: 'authority feeProgramGlobal eventAuthority program',
  },
  set_exotic_flat_fees: {
    discriminator: '1eea958afce62749',
    fields: { exoticFlatFees: FEES },
    accounts: 'feeConfig admin configProgramId systemProgram eventAuthority program',
  },
  set_social_claim_authority: {
    discriminator: '9336b89a88edb999',
    fields: { socialClaimAuthority: 'address' },
    accounts: 'authority feeProgramGlobal eventAuthority program',
  },
  sweep_buyback: {
    discriminator: '8a21cc26cfa19fe2',
    fields: { index: 'u8' },
    accounts:
      'destination authority buybackVault buybackVaultAta destinationAta systemProgram associatedTokenProgram mint tokenProgram eventAuthority program',
  },
  transfer_fee_sharing_authority: {
    discriminator: 'ca0a4bc8a422d260',
    fields: {},
    accounts: '',
  },
  update_admin: {
    discriminator: 'a1b028d53cb8b3e4',
    fields: {},
    accounts: 'admin feeConfig newAdmin configProgramId eventAuthority program',
  },
  update_buyback_authority: {
    discriminator: '426271ca7925db6b',
    fields: { index: 'u8', newAuthority: 'address' },
    accounts: 'authority feeProgramGlobal buybackVault eventAuthority program',
  },
  update_buyback_claim_rate_limit: {
    discriminator: 'ba5f87beffc789aa',
    fields: { index: 'u8', claimRateLimit: 'i64' },
    accounts: 'authority feeProgramGlobal buybackVault eventAuthority program',
  },
  update_fee_config: {
    discriminator: '68b867f258976b14',
    fields: { feeTiers: { vec: FEE_TIER }, flatFees: FEES },
    accounts: 'feeConfig admin configProgramId eventAuthority program',
  },
  update_fee_shares: {
    discriminator: 'bd0d8863bba4ed23',
    fields: { shareholders: { vec: SHAREHOLDER } },
    accounts:
      'eventAuthority program authority global mint sharingConfig bondingCurve pumpCreatorVault systemProgram pumpProgram pumpEventAuthority pumpAmmProgram ammEventAuthority wsolMint tokenProgram associatedTokenProgram coinCreatorVaultAuthority coinCreatorVaultAta',
  },
  update_fee_shares_v2: {
    discriminator: '6ffb31064e4e6a12',
    fields: { shareholders: { vec: SHAREHOLDER } },
    accounts:
      'eventAuthority program authority global mint sharingConfig bondingCurve pumpCreatorVault pumpCreatorVaultAta systemProgram pumpProgram pumpEventAuthority pumpAmmProgram ammEventAuthority quoteMint tokenProgram associatedTokenProgram coinCreatorVaultAuthority coinCreatorVaultAta',
  },
  update_stable_fee_config: {
    discriminator: '6ba964b3869b92dd',
    fields: { feeTiers: { vec: FEE_TIER } },
    accounts: 'feeConfig admin configProgramId eventAuthority program',
  },
  upsert_fee_tiers: {
    discriminator: 'e317960c4d565e04',
    fields: { feeTiers: { vec: FEE_TIER }, offset: 'u8' },
    accounts: 'feeConfig admin configProgramId eventAuthority program',
  },
  upsert_stable_fee_tiers: {
    discriminator: 'b5a0a2fc4a4ce0dd',
    fields: { feeTiers: { vec: FEE_TIER }, offset: 'u8' },
    accounts: 'feeConfig admin configProgramId eventAuthority program',
  },
  reset_fee_sharing_config: {
    discriminator: '0a02b65f107f81ba',
    fields: {},
    accounts: '',
  },
  reset_fee_sharing_config_v2: {
    discriminator: 'a9f511d15e5bf880',
    fields: {},
    accounts: '',
  },
} as const satisfies InstructionTable;
