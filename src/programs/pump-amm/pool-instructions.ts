import type { InstructionTable } from '../instruction-table.ts';

/** Instructions that make pools, trade in them and change their liquidity. */
export const POOL_INSTRUCTIONS = {
  create_pool: {
    discriminator: 'e992d18ecf6840bc',
    fields: { index: 'u16', baseAmountIn: 'u64', quoteAmountIn: 'u64' },
    appended: [
      { since: '2025-05-08', fields: { coinCreator: 'address' } },
      { since: '2025-11-07', fields: { isMayhemMode: 'bool' } },
      { since: '2026-02-17', fields: { isCashbackCoin: 'bool' } },
      { since: '2026-08', fields: { creatorFeeBps: 'u64', canEditCreatorFee: 'bool' } },
      { since: '2026-09', fields: { isHolderReward: 'bool' } },
    ],
    accounts:
      'pool globalConfig creator baseMint quoteMint lpMint userBaseTokenAccount userQuoteTokenAccount userPoolTokenAccount poolBaseTokenAccount poolQuoteTokenAccount systemProgram token2022Program baseTokenProgram quoteTokenProgram associatedTokenProgram eventAuthority program',
  },
  buy: {
    discriminator: '66063d1201daebea',
    fields: { baseAmountOut: 'u64', maxQuoteAmountIn: 'u64' },
    appended: [{ since: '2025-08-28', fields: { trackVolume: 'bool' } }],
    accounts:
      'pool user globalConfig baseMint quoteMint userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount protocolFeeRecipient protocolFeeRecipientTokenAccount baseTokenProgram quoteTokenProgram systemProgram associatedTokenProgram eventAuthority program coinCreatorVaultAta coinCreatorVaultAuthority globalVolumeAccumulator userVolumeAccumulator feeConfig feeProgram',
  },
  buy_exact_quote_in: {
    discriminator: 'c62e1552b4d9e870',
    fields: { spendableQuoteIn: 'u64', minBaseAmountOut: 'u64' },
    appended: [{ since: '2025-10-17', fields: { trackVolume: 'bool' } }],
    accounts:
      'pool user globalConfig baseMint quoteMint userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount protocolFeeRecipient protocolFeeRecipientTokenAccount baseTokenProgram quoteTokenProgram systemProgram associatedTokenProgram eventAuthority program coinCreatorVaultAta coinCreatorVaultAuthority globalVolumeAccumulator userVolumeAccumulator feeConfig feeProgram',
  },
  sell: {
    discriminator: '33e685a4017f83ad',
    fields: { baseAmountIn: 'u64', minQuoteAmountOut: 'u64' },
    accounts:
      'pool user globalConfig baseMint quoteMint userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount protocolFeeRecipient protocolFeeRecipientTokenAccount baseTokenProgram quoteTokenProgram systemProgram associatedTokenProgram eventAuthority program coinCreatorVaultAta coinCreatorVaultAuthority feeConfig feeProgram',
  },
  buy_v2: {
    discriminator: 'b817ee6167c5d33d',
    fields: { baseAmountOut: 'u64', maxQuoteAmountIn: 'u64' },
    accounts:
      'pool user globalConfig baseMint quoteMint userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount baseTokenProgram quoteTokenProgram systemProgram userVolumeAccumulator feeConfig buybackFeeRecipient eventAuthority program',
  },
  buy_exact_quote_in_v2: {
    discriminator: 'c2ab1c46684d5b2f',
    fields: { spendableQuoteIn: 'u64', minBaseAmountOut: 'u64' },
    accounts:
      'pool user globalConfig baseMint quoteMint userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount baseTokenProgram quoteTokenProgram systemProgram userVolumeAccumulator feeConfig buybackFeeRecipient eventAuthority program',
  },
  sell_v2: {
    discriminator: '5df6823ce7e940b2',
    fields: { baseAmountIn: 'u64', minQuoteAmountOut: 'u64' },
    accounts:
      'pool user globalConfig baseMint quoteMint userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount baseTokenProgram quoteTokenProgram systemProgram userVolumeAccumulator feeConfig buybackFeeRecipient eventAuthority program',
  },
  multi_hop_swap: {
    discriminator: '2b644913e9f66f94',
    fields: { amountIn: 'u64', minAmountOut: 'u64' },
    accounts:
      'user userInTokenAccount userOutTokenAccount globalConfig feeConfig userVolumeAccumulator buybackFeeRecipient tokenProgram token2022Program systemProgram eventAuthority program pumpProgram pumpGlobal pumpFeeConfig pumpEventAuthority',
  },
  deposit: {
    discriminator: 'f223c68952e1f2b6',
    fields: { lpTokenAmountOut: 'u64', maxBaseAmountIn: 'u64', maxQuoteAmountIn: 'u64' },
    accounts:
      'pool globalConfig user baseMint quoteMint lpMint userBaseTokenAccount userQuoteTokenAccount userPoolTokenAccount poolBaseTokenAccount poolQuoteTokenAccount tokenProgram token2022Program eventAuthority program',
  },
  withdraw: {
    discriminator: 'b712469c946da122',
    fields: { lpTokenAmountIn: 'u64', minBaseAmountOut: 'u64', minQuoteAmountOut: 'u64' },
    accounts:
      'pool globalConfig user baseMint quoteMint lpMint userBaseTokenAccount userQuoteTokenAccount userPoolTokenAccount poolBaseTokenAccount poolQuoteTokenAccount tokenProgram token2022Program eventAuthority program',
  },
  init_boost: {
    discriminator: '8ce9215e845ac28f',
    fields: {},
    accounts:
      'pool globalConfig creator baseMint quoteMint poolBaseTokenAccount poolQuoteTokenAccount boostVaultAuthority boostVault quoteTokenProgram systemProgram associatedTokenProgram eventAuthority program',
  },
  boost_buy_and_burn: {
    discriminator: '694406af000723a2',
    fields: { quoteAmountIn: 'u64', minBaseAmountBurned: 'u64' },
    accounts:
      'pool authority globalConfig baseMint quoteMint poolBaseTokenAccount poolQuoteTokenAccount boostVaultAuthority boostVault baseTokenProgram quoteTokenProgram eventAuthority program',
  },
} as const satisfies InstructionTable;
