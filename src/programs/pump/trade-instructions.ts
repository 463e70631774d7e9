import { ATA_PROGRAM } from '../../chain/well-known.ts';
import type { InstructionTable } from '../instruction-table.ts';
import { RENT_SYSVAR } from './ids.ts';

/** Instructions that create, trade and migrate coins. */
export const TRADE_INSTRUCTIONS = {
  create: {
    discriminator: '181ec828051c0777',
    fields: { name: 'string', symbol: 'string', uri: 'string' },
    appended: [{ since: '2025-04-04', fields: { creator: 'address' } }],
    accounts:
      'mint mintAuthority bondingCurve associatedBondingCurve global mplTokenMetadata metadata user systemProgram tokenProgram associatedTokenProgram rent eventAuthority program',
  },
  create_v2: {
    discriminator: 'd6904cec5f8b31b4',
    fields: { name: 'string', symbol: 'string', uri: 'string', creator: 'address', isMayhemMode: 'bool' },
    appended: [
      { since: '2026-02-17', fields: { isCashbackEnabled: 'bool' } },
      { since: '2026-08', fields: { creatorFeeBps: 'u64' } },
      { since: '2026-09', fields: { isHolderReward: 'bool' } },
    ],
    accounts:
      'mint mintAuthority bondingCurve associatedBondingCurve global user systemProgram tokenProgram associatedTokenProgram mayhemProgramId globalParams solVault mayhemState mayhemTokenVault eventAuthority program quoteMint associatedQuoteBondingCurve quoteTokenProgram quoteControl quoteBondingCurve quotePool quotePoolBaseVault quotePoolQuoteVault',
  },
  create_v3: {
    discriminator: 'bb8d327335d42428',
    fields: { name: 'string', symbol: 'string', uri: 'string', creator: 'address', isMayhemMode: 'bool' },
    appended: [
      { since: '2026-02-17', fields: { isCashbackEnabled: 'bool' } },
      { since: '2026-08', fields: { creatorFeeBps: 'u64' } },
      { since: '2026-09', fields: { isHolderReward: 'bool' } },
    ],
    accounts: '',
  },
  buy: {
    discriminator: '66063d1201daebea',
    fields: { amount: 'u64', maxSolCost: 'u64' },
    appended: [{ since: '2025-08-28', fields: { trackVolume: 'bool' } }],
    accounts:
      'global feeRecipient mint bondingCurve associatedBondingCurve associatedUser user systemProgram tokenProgram creatorVault eventAuthority program globalVolumeAccumulator userVolumeAccumulator feeConfig feeProgram',
    earlier: {
      index: 9,
      address: RENT_SYSVAR,
      accounts:
        'global feeRecipient mint bondingCurve associatedBondingCurve associatedUser user systemProgram tokenProgram rent eventAuthority program',
    },
    remaining: ['bondingCurveV2', 'bondingCurveV2 buybackFeeRecipient'],
  },
  sell: {
    discriminator: '33e685a4017f83ad',
    fields: { amount: 'u64', minSolOutput: 'u64' },
    accounts:
      'global feeRecipient mint bondingCurve associatedBondingCurve associatedUser user systemProgram creatorVault tokenProgram eventAuthority program feeConfig feeProgram',
    earlier: {
      index: 8,
      address: ATA_PROGRAM,
      accounts:
        'global feeRecipient mint bondingCurve associatedBondingCurve associatedUser user systemProgram associatedTokenProgram tokenProgram eventAuthority program',
    },
    remaining: [
      'bondingCurveV2',
      'bondingCurveV2 buybackFeeRecipient',
      'userVolumeAccumulator bondingCurveV2 buybackFeeRecipient',
    ],
  },
  buy_exact_sol_in: {
    discriminator: '38fc74089edfcd5f',
    fields: { spendableSolIn: 'u64', minTokensOut: 'u64' },
    appended: [{ since: '2025-10-17', fields: { trackVolume: 'bool' } }],
    accounts:
      'global feeRecipient mint bondingCurve associatedBondingCurve associatedUser user systemProgram tokenProgram creatorVault eventAuthority program globalVolumeAccumulator userVolumeAccumulator feeConfig feeProgram',
    remaining: ['bondingCurveV2', 'bondingCurveV2 buybackFeeRecipient'],
  },
  buy_v2: {
    discriminator: 'b817ee6167c5d33d',
    fields: { amount: 'u64', maxSolCost: 'u64' },
    accounts:
      'global baseMint quoteMint baseTokenProgram quoteTokenProgram associatedTokenProgram feeRecipient associatedQuoteFeeRecipient buybackFeeRecipient associatedQuoteBuybackFeeRecipient bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user associatedBaseUser associatedQuoteUser creatorVault associatedCreatorVault sharingConfig globalVolumeAccumulator userVolumeAccumulator associatedUserVolumeAccumulator feeConfig feeProgram systemProgram eventAuthority program',
  },
  buy_exact_quote_in_v2: {
    discriminator: 'c2ab1c46684d5b2f',
    fields: { spendableQuoteIn: 'u64', minTokensOut: 'u64' },
    accounts:
      'global baseMint quoteMint baseTokenProgram quoteTokenProgram associatedTokenProgram feeRecipient associatedQuoteFeeRecipient buybackFeeRecipient associatedQuoteBuybackFeeRecipient bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user associatedBaseUser associatedQuoteUser creatorVault associatedCreatorVault sharingConfig globalVolumeAccumulator userVolumeAccumulator associatedUserVolumeAccumulator feeConfig feeProgram systemProgram eventAuthority program',
  },
  sell_v2: {
    discriminator: '5df6823ce7e940b2',
    fields: { amount: 'u64', minSolOutput: 'u64' },
    accounts:
      'global baseMint quoteMint baseTokenProgram quoteTokenProgram associatedTokenProgram feeRecipient associatedQuoteFeeRecipient buybackFeeRecipient associatedQuoteBuybackFeeRecipient bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user associatedBaseUser associatedQuoteUser creatorVault associatedCreatorVault sharingConfig userVolumeAccumulator associatedUserVolumeAccumulator feeConfig feeProgram systemProgram eventAuthority program',
  },
  buy_v3: {
    discriminator: '07051dc4f5176550',
    fields: { amount: 'u64', maxSolCost: 'u64' },
    appended: [{ since: '2026-10-02', fields: { partialFill: 'bool' } }],
    accounts:
      'global baseMint quoteMint baseTokenProgram quoteTokenProgram bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user associatedBaseUser associatedQuoteUser userVolumeAccumulator feeConfig buybackFeeRecipient systemProgram eventAuthority program',
  },
  buy_exact_quote_in_v3: {
    discriminator: 'e1f7501ed5b38488',
    fields: { spendableQuoteIn: 'u64', minTokensOut: 'u64' },
    appended: [{ since: '2026-10-02', fields: { partialFill: 'bool' } }],
    accounts:
      'global baseMint quoteMint baseTokenProgram quoteTokenProgram bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user associatedBaseUser associatedQuoteUser userVolumeAccumulator feeConfig buybackFeeRecipient systemProgram eventAuthority program',
  },
  sell_v3: {
    discriminator: '1c92de7726c469d5',
    fields: { amount: 'u64', minSolOutput: 'u64' },
    accounts:
      'global baseMint quoteMint baseTokenProgram quoteTokenProgram bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user associatedBaseUser associatedQuoteUser userVolumeAccumulator feeConfig buybackFeeRecipient systemProgram eventAuthority program',
  },
  multi_hop_curve_swap: {
    discriminator: 'e19a7516d756f667',
    fields: { amountIn: 'u64', hopFees: 'bytes' },
    accounts: '',
  },
  migrate: {
    discriminator: '9beae792ec9ea21e',
    fields: {},
    accounts:
      'global withdrawAuthority mint bondingCurve associatedBondingCurve user systemProgram tokenProgram pumpAmm pool poolAuthority poolAuthorityMintAccount poolAuthorityWsolAccount ammGlobalConfig wsolMint lpMint userPoolTokenAccount poolBaseTokenAccount poolQuoteTokenAccount token2022Program associatedTokenProgram pumpAmmEventAuthority eventAuthority program rent boostVaultAuthority boostVault',
  },
  migrate_v2: {
    discriminator: 'bbcb121fceedfe29',
    fields: {},
    accounts:
      'global withdrawAuthority baseMint quoteMint bondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve user systemProgram pumpAmm pool poolAuthority poolAuthorityMintAccount poolAuthorityQuoteAccount ammGlobalConfig lpMint userPoolTokenAccount poolBaseTokenAccount poolQuoteTokenAccount baseTokenProgram quoteTokenProgram token2022Program associatedTokenProgram pumpAmmEventAuthority rent eventAuthority program boostVaultAuthority boostVault',
  },
  withdraw: {
    discriminator: 'b712469c946da122',
    fields: {},
    accounts: '',
  },
  set_mayhem_virtual_params: {
    discriminator: '3da9bcbf99952a61',
    fields: {},
    accounts: 'solVaultAuthority mayhemTokenVault mint global bondingCurve tokenProgram eventAuthority program',
  },
} as const satisfies InstructionTable;
