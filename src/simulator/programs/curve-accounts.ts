import { type Address, WSOL_MINT } from '../../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { userVolumeAccumulatorAddress } from '../../programs/pump/addresses.ts';
import {
  PUMP_EVENT_AUTHORITY,
  PUMP_FEE_CONFIG,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME_ACCUMULATOR,
  PUMP_PROGRAM,
} from '../../programs/pump/ids.ts';
import { TRADE_INSTRUCTIONS } from '../../programs/pump/trade-instructions.ts';
import { PUMP_FEES_PROGRAM } from '../../programs/pump-fees/ids.ts';
import type { Coin } from '../market.ts';
import type { AccountMeta } from '../runtime/instruction.ts';
import { buybackRecipientOf, type CurveTradeName, feeRecipientOf, quoteKind } from './curve-terms.ts';
import { associatedAccount } from './token.ts';
import { type AccountRoles, accountNames, venueAccounts } from './venue.ts';

const ROLES: AccountRoles = {
  signers: new Set(['user']),
  writable: new Set(
    (
      'feeRecipient associatedQuoteFeeRecipient buybackFeeRecipient associatedQuoteBuybackFeeRecipient bondingCurve ' +
      'associatedBondingCurve associatedBaseBondingCurve associatedQuoteBondingCurve associatedUser user ' +
      'associatedBaseUser associatedQuoteUser creatorVault associatedCreatorVault userVolumeAccumulator ' +
      'associatedUserVolumeAccumulator'
    ).split(' '),
  ),
};

const REMAINING = 'bondingCurveV2 buybackFeeRecipient';

export function curveTradeAccounts(name: CurveTradeName, coin: Coin, user: Address): AccountMeta[] {
  const { token, addresses } = coin;
  const quote = quoteKind(coin);
  const feeRecipient = feeRecipientOf(coin);
  const buybackFeeRecipient = buybackRecipientOf(coin);
  const accumulator = userVolumeAccumulatorAddress(user);
  const layout = TRADE_INSTRUCTIONS[name];
  const remaining = name === 'sell' || name === 'buy' || name === 'buy_exact_sol_in' ? REMAINING : undefined;
  const known: Record<string, Address> = {
    global: PUMP_GLOBAL,
    feeRecipient,
    buybackFeeRecipient,
    mint: token.mint,
    baseMint: token.mint,
    quoteMint: coin.quote?.mint ?? WSOL_MINT,
    bondingCurve: addresses.curve,
    // Never read by anyone here; the program checks only that it is the right address.
    bondingCurveV2: addresses.poolAuthority,
    associatedBondingCurve: addresses.curveToken,
    associatedBaseBondingCurve: addresses.curveToken,
    associatedQuoteBondingCurve: associatedAccount(addresses.curve, quote),
    associatedUser: associatedAccount(user, token),
    associatedBaseUser: associatedAccount(user, token),
    associatedQuoteUser: associatedAccount(user, quote),
    user,
    systemProgram: SYSTEM_PROGRAM,
    tokenProgram: token.tokenProgram,
    baseTokenProgram: token.tokenProgram,
    quoteTokenProgram: quote.tokenProgram,
    associatedTokenProgram: ATA_PROGRAM,
    creatorVault: addresses.creatorVault,
    sharingConfig: addresses.poolAuthority,
    globalVolumeAccumulator: PUMP_GLOBAL_VOLUME_ACCUMULATOR,
    userVolumeAccumulator: accumulator,
    feeConfig: PUMP_FEE_CONFIG,
    feeProgram: PUMP_FEES_PROGRAM,
    eventAuthority: PUMP_EVENT_AUTHORITY,
    program: PUMP_PROGRAM,
  };
  if (name.endsWith('_v3') && coin.quote !== undefined) {
    known.buybackFeeRecipient = associatedAccount(buybackFeeRecipient, quote);
  }
  if (name.endsWith('_v2')) {
    known.associatedQuoteFeeRecipient = associatedAccount(feeRecipient, quote);
    known.associatedQuoteBuybackFeeRecipient = associatedAccount(buybackFeeRecipient, quote);
    known.associatedCreatorVault = associatedAccount(addresses.creatorVault, quote);
    known.associatedUserVolumeAccumulator = associatedAccount(accumulator, quote);
  }
  return venueAccounts(accountNames(layout, remaining), known, ROLES);
}
