import { type Address, ZERO_ADDRESS } from '../../chain/address.ts';
import { ATA_PROGRAM, METADATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../chain/well-known.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { COIN_SUPPLY, type CurveReserves } from '../../programs/pump/curve.ts';
import {
  MAYHEM_GLOBAL_PARAMS,
  MAYHEM_PROGRAM,
  MAYHEM_SOL_VAULT,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_MINT_AUTHORITY,
  PUMP_PROGRAM,
  PUMP_QUOTE_CONTROL,
  RENT_SYSVAR,
} from '../../programs/pump/ids.ts';
import { TRADE_EVENTS } from '../../programs/pump/trade-events.ts';
import { TRADE_INSTRUCTIONS } from '../../programs/pump/trade-instructions.ts';
import { type Coin, newbornCurve } from '../market.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { createAccount } from './system.ts';
import { associatedAccount, initializeMint, mintTokens, openAssociated } from './token.ts';
import { type AccountRoles, emitEvent, venueAccounts } from './venue.ts';

const CURVE_BYTES = 166;
const MINT_BYTES = 82;
/** A Token-2022 mint that holds its own metadata. */
const MINT_2022_BYTES = 420;
const METADATA_BYTES = 607;

const ROLES: AccountRoles = {
  signers: new Set(['mint', 'user']),
  writable: new Set(
    (
      'mint bondingCurve associatedBondingCurve metadata user solVault mayhemState mayhemTokenVault mayhemProgramId ' +
      'associatedQuoteBondingCurve'
    ).split(' '),
  ),
};

/** Launches a coin: by `create_v2` as a Token-2022 mint, by the older `create` as an SPL one. */
export function createCoin(coin: Coin): Instruction {
  const isNew = coin.token.tokenProgram === TOKEN_2022_PROGRAM;
  const { name, symbol, uri } = coin;
  const common = { name, symbol, uri, creator: coin.feeCreator };
  const data = isNew
    ? encodeLayout(TRADE_INSTRUCTIONS.create_v2, {
        ...common,
        isMayhemMode: coin.mayhem,
        isCashbackEnabled: false,
        creatorFeeBps: 0n,
        isHolderReward: coin.holderReward,
      })
    : encodeLayout(TRADE_INSTRUCTIONS.create, common);
  return {
    program: PUMP_PROGRAM,
    accounts: venueAccounts(
      isNew ? createV2Names(coin) : TRADE_INSTRUCTIONS.create.accounts,
      knownAddresses(coin),
      ROLES,
    ),
    data,
    run: (execution) => runCreate(execution, coin, isNew),
  };
}

/** Coins quoted in SOL leave out the accounts of another quote. */
function createV2Names(coin: Coin): string {
  const names = TRADE_INSTRUCTIONS.create_v2.accounts.split(' ');
  return names.slice(0, names.indexOf(coin.quote === undefined ? 'quoteMint' : 'quoteBondingCurve')).join(' ');
}

function knownAddresses(coin: Coin): Record<string, Address> {
  const { addresses, quote, token } = coin;
  return {
    mint: token.mint,
    mintAuthority: PUMP_MINT_AUTHORITY,
    bondingCurve: addresses.curve,
    associatedBondingCurve: addresses.curveToken,
    global: PUMP_GLOBAL,
    mplTokenMetadata: METADATA_PROGRAM,
    metadata: addresses.metadata,
    user: coin.dev.address,
    systemProgram: SYSTEM_PROGRAM,
    tokenProgram: token.tokenProgram,
    associatedTokenProgram: ATA_PROGRAM,
    rent: RENT_SYSVAR,
    mayhemProgramId: MAYHEM_PROGRAM,
    globalParams: MAYHEM_GLOBAL_PARAMS,
    solVault: MAYHEM_SOL_VAULT,
    mayhemState: addresses.mayhemState,
    mayhemTokenVault: associatedAccount(MAYHEM_SOL_VAULT, token),
    eventAuthority: PUMP_EVENT_AUTHORITY,
    program: PUMP_PROGRAM,
    ...(quote === undefined
      ? {}
      : {
          quoteMint: quote.mint,
          associatedQuoteBondingCurve: associatedAccount(addresses.curve, quote),
          quoteTokenProgram: quote.tokenProgram,
          quoteControl: PUMP_QUOTE_CONTROL,
        }),
  };
}

function runCreate(execution: Execution, coin: Coin, isNew: boolean): void {
  execution.record.touchesVenue = true;
  execution.log(`Instruction: ${isNew ? 'CreateV2' : 'Create'}`);
  const { addresses, dev, quote, token } = coin;
  const payer = dev.address;
  execution.invoke(createAccount(payer, token.mint, isNew ? MINT_2022_BYTES : MINT_BYTES, token.tokenProgram));
  execution.invoke(initializeMint(token, PUMP_MINT_AUTHORITY));
  execution.invoke(createAccount(payer, addresses.curve, CURVE_BYTES, PUMP_PROGRAM));
  execution.invoke(openAssociated(payer, addresses.curve, token));
  if (quote !== undefined) execution.invoke(openAssociated(payer, addresses.curve, quote));
  if (!isNew) execution.invoke(createAccount(payer, addresses.metadata, METADATA_BYTES, METADATA_PROGRAM));
  execution.invoke(mintTokens(token, addresses.curveToken, PUMP_MINT_AUTHORITY, COIN_SUPPLY));
  if (coin.mayhem) {
    execution.invoke(openAssociated(payer, MAYHEM_SOL_VAULT, token));
    const vault = associatedAccount(MAYHEM_SOL_VAULT, token);
    execution.invoke(mintTokens(token, vault, PUMP_MINT_AUTHORITY, COIN_SUPPLY));
  }
  execution.bank.onRollback(() => {
    coin.curve = undefined;
  });
  const curve = newbornCurve(coin);
  coin.curve = curve;
  announce(execution, coin, curve.reserves);
}

function announce(execution: Execution, coin: Coin, reserves: CurveReserves): void {
  const { addresses, dev, mayhem, name, quote, symbol, token, uri } = coin;
  const event = encodeLayout(TRADE_EVENTS.CreateEvent, {
    name,
    symbol,
    uri,
    mint: token.mint,
    bondingCurve: addresses.curve,
    user: dev.address,
    creator: coin.feeCreator,
    timestamp: BigInt(execution.unixTime),
    virtualTokenReserves: reserves.virtualToken,
    virtualSolReserves: quote === undefined ? reserves.virtualQuote : 0n,
    realTokenReserves: reserves.realToken,
    tokenTotalSupply: COIN_SUPPLY,
    tokenProgram: token.tokenProgram,
    isMayhemMode: mayhem,
    isCashbackEnabled: false,
    quoteMint: quote?.mint ?? ZERO_ADDRESS,
    virtualQuoteReserves: reserves.virtualQuote,
    creatorFeeBps: 0n,
    isHolderReward: coin.holderReward,
    depth: 0,
  });
  execution.record.created.push({
    ixIndex: emitEvent(execution, PUMP_EVENT_AUTHORITY, event),
    mint: token.mint,
    creator: dev.address,
    feeCreator: coin.feeCreator,
    name,
    symbol,
    uri,
    bondingCurve: addresses.curve,
    decimals: token.decimals,
    tokenProgram: token.tokenProgram,
    quoteMint: quote?.mint,
    mayhem,
    cashback: false,
    holderReward: coin.holderReward,
    creatorFeeBps: 0n,
    curveDepth: 0,
    virtualTokenReserves: reserves.virtualToken,
    virtualQuoteReserves: reserves.virtualQuote,
    realTokenReserves: reserves.realToken,
    supply: mayhem ? 2n * COIN_SUPPLY : COIN_SUPPLY,
  });
}
