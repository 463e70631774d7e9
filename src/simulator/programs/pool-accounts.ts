import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { AddressCache } from '../../programs/address-cache.ts';
import { coinCreatorVaultAuthorityAddress } from '../../programs/pump-amm/addresses.ts';
import {
  PUMP_AMM_EVENT_AUTHORITY,
  PUMP_AMM_FEE_CONFIG,
  PUMP_AMM_GLOBAL_CONFIG,
  PUMP_AMM_GLOBAL_VOLUME_ACCUMULATOR,
  PUMP_AMM_PROGRAM,
} from '../../programs/pump-amm/ids.ts';
import { POOL_INSTRUCTIONS } from '../../programs/pump-amm/pool-instructions.ts';
import { PUMP_FEES_PROGRAM } from '../../programs/pump-fees/ids.ts';
import type { Pool } from '../market.ts';
import { type AccountMeta, read, write } from '../runtime/instruction.ts';
import { BUYBACK_RECIPIENTS, FEE_RECIPIENTS } from '../scenery.ts';
import { type PoolTradeName, poolKeepsFees } from './pool-terms.ts';
import { associatedAccount } from './token.ts';
import { type AccountRoles, venueAccounts } from './venue.ts';

const ROLES: AccountRoles = {
  signers: new Set(['user']),
  writable: new Set(
    (
      'pool user userBaseTokenAccount userQuoteTokenAccount poolBaseTokenAccount poolQuoteTokenAccount ' +
      'protocolFeeRecipientTokenAccount coinCreatorVaultAta userVolumeAccumulator buybackFeeRecipient'
    ).split(' '),
  ),
};

const CACHED_USERS = 20_000;
const accumulators = new AddressCache(CACHED_USERS);
const ACCUMULATOR_SEED = new TextEncoder().encode('user_volume_accumulator');

function volumeAccumulator(user: Address): Address {
  return accumulators.get(user, () => {
    return findProgramAddress([ACCUMULATOR_SEED, addressBytes(user)], PUMP_AMM_PROGRAM).address;
  });
}

/** Always the same recipients for a pool, so that their accounts are few. */
export function poolFeeRecipient({ address }: Pool): Address {
  return FEE_RECIPIENTS[address.charCodeAt(3) % FEE_RECIPIENTS.length]!;
}

export function poolBuybackAccount(pool: Pool): Address {
  return associatedAccount(poolBuybackRecipient(pool), pool.quote);
}

export function poolBuybackRecipient({ address }: Pool): Address {
  return BUYBACK_RECIPIENTS[address.charCodeAt(4) % BUYBACK_RECIPIENTS.length]!;
}

/** Account that a pool's creator fees of the first version go to. */
export function coinCreatorVault(pool: Pool): Address {
  return associatedAccount(coinCreatorVaultAuthorityAddress(pool.coinCreator), pool.quote);
}

export function poolTradeAccounts(name: PoolTradeName, pool: Pool, user: Address): AccountMeta[] {
  const { address, base, quote } = pool;
  const kept = poolKeepsFees(name);
  const recipient = poolFeeRecipient(pool);
  const accounts = venueAccounts(
    POOL_INSTRUCTIONS[name].accounts,
    {
      pool: address,
      user,
      globalConfig: PUMP_AMM_GLOBAL_CONFIG,
      baseMint: base.mint,
      quoteMint: quote.mint,
      userBaseTokenAccount: associatedAccount(user, base),
      userQuoteTokenAccount: associatedAccount(user, quote),
      poolBaseTokenAccount: associatedAccount(address, base),
      poolQuoteTokenAccount: associatedAccount(address, quote),
      protocolFeeRecipient: recipient,
      protocolFeeRecipientTokenAccount: associatedAccount(recipient, quote),
      baseTokenProgram: base.tokenProgram,
      quoteTokenProgram: quote.tokenProgram,
      systemProgram: SYSTEM_PROGRAM,
      associatedTokenProgram: ATA_PROGRAM,
      eventAuthority: PUMP_AMM_EVENT_AUTHORITY,
      program: PUMP_AMM_PROGRAM,
      coinCreatorVaultAta: coinCreatorVault(pool),
      coinCreatorVaultAuthority: coinCreatorVaultAuthorityAddress(pool.coinCreator),
      globalVolumeAccumulator: PUMP_AMM_GLOBAL_VOLUME_ACCUMULATOR,
      userVolumeAccumulator: volumeAccumulator(user),
      feeConfig: PUMP_AMM_FEE_CONFIG,
      feeProgram: PUMP_FEES_PROGRAM,
      buybackFeeRecipient: poolBuybackAccount(pool),
    },
    ROLES,
  );
  return kept ? accounts : [...accounts, read(poolBuybackRecipient(pool)), write(poolBuybackAccount(pool))];
}
