import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import type { Account } from '../chain/rpc/account-answers.ts';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { quoteOf } from '../facts/quotes.ts';
import { metadataAddress, readMetadata, type TokenNames } from '../programs/metaplex/accounts.ts';
import { type BondingCurveAccount, readBondingCurve } from '../programs/pump/accounts.ts';
import { bondingCurveAddress, canonicalPoolAddress } from '../programs/pump/addresses.ts';
import { PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { readPool } from '../programs/pump-amm/accounts.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { type MintAccount, readMint } from '../programs/spl-token/mint-account.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import type { HydratedTokenRow } from '../store/clickhouse/schema/background-tables.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import { type AccountBatch, readAccounts } from './account-batches.ts';

/** A mint that is not there may be the node's delay, or closed for good: so long it is not asked for again. */
export const RETRY_AFTER_SECONDS = 3_600;
/** Derived addresses between two turns of the event loop, which answers requests: about a millisecond's worth. */
export const DERIVATIONS_PER_TURN = 4;
/** All of it. A rate beyond that is no rate, and must not keep a whole batch from being written. */
const MAX_FEE_BPS = 10_000n;

/** A mint, and what of its other accounts has been read so far. */
interface Token {
  readonly mint: Address;
  readonly program: Address;
  readonly account: MintAccount;
  readonly curveAddress: Address;
  curve: BondingCurveAccount | undefined;
  names: TokenNames | undefined;
  pool: Address | undefined;
}

/**
 * Rows of tokens as their accounts tell them: the mint, then its curve and its
 * metadata, then the pool of those whose curve is full. One row for each mint.
 * `now` is in Unix seconds.
 */
export async function hydrateTokens(
  rpc: Pick<RpcClient, 'call'>,
  mints: readonly Address[],
  now: number,
  signal: AbortSignal,
): Promise<HydratedTokenRow[]> {
  const first = await readAccounts(rpc, mints, signal);
  const tokens = await readMints(mints, first);
  await readCurvesAndNames(rpc, tokens, signal);
  await readPools(rpc, tokens, signal);
  const found = new Map(tokens.map((token) => [token.mint, token]));
  return mints.map((mint) => toRow(mint, found.get(mint), first.slot, now));
}

async function readMints(mints: readonly Address[], { accounts }: AccountBatch): Promise<Token[]> {
  const tokens: Token[] = [];
  for (const mint of mints) {
    const { owner, data } = accounts.get(mint) ?? {};
    const account = owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM ? readMint(data!) : undefined;
    if (account === undefined) continue;
    if (tokens.length % DERIVATIONS_PER_TURN === 0) await nextTurn();
    const curveAddress = bondingCurveAddress(mint);
    tokens.push({
      ...{ mint, program: owner!, account, curveAddress },
      ...{ curve: undefined, names: ownNames(mint, account), pool: undefined },
    });
  }
  return tokens;
}

/** Metadata that name another mint are somebody's joke. */
function ownNames(mint: Address, { names }: { readonly names: TokenNames | undefined }): TokenNames | undefined {
  return names?.mint === mint ? names : undefined;
}

async function readCurvesAndNames(
  rpc: Pick<RpcClient, 'call'>,
  tokens: readonly Token[],
  signal: AbortSignal,
): Promise<void> {
  const metadata = new Map<Token, Address>();
  for (const token of tokens) {
    if (token.names !== undefined) continue;
    if (metadata.size % DERIVATIONS_PER_TURN === 0) await nextTurn();
    metadata.set(token, metadataAddress(token.mint));
  }
  const wanted = [...tokens.map(({ curveAddress }) => curveAddress), ...metadata.values()];
  const { accounts } = await readAccounts(rpc, wanted, signal);
  const dataOf = (address: Address | undefined, owner: Address): Uint8Array | undefined => {
    const account: Account | undefined = address === undefined ? undefined : accounts.get(address);
    return account?.owner === owner ? account.data : undefined;
  };
  for (const token of tokens) {
    const curve = dataOf(token.curveAddress, PUMP_PROGRAM);
    token.curve = curve === undefined ? undefined : readBondingCurve(curve);
    const names = dataOf(metadata.get(token), METADATA_PROGRAM);
    token.names ??= names === undefined ? undefined : ownNames(token.mint, { names: readMetadata(names) });
  }
}

async function readPools(rpc: Pick<RpcClient, 'call'>, tokens: readonly Token[], signal: AbortSignal): Promise<void> {
  const pools = new Map<Token, Address>();
  for (const token of tokens) {
    // A coin has its pool only once its curve is full.
    if (token.curve?.complete !== true) continue;
    // Two addresses each.
    if (pools.size % (DERIVATIONS_PER_TURN / 2) === 0) await nextTurn();
    pools.set(token, canonicalPoolAddress(token.mint, token.curve.quoteMint));
  }
  const { accounts } = await readAccounts(rpc, [...pools.values()], signal);
  for (const [token, address] of pools) {
    const account = accounts.get(address);
    if (account?.owner === PUMP_AMM_PROGRAM && readPool(account.data)?.baseMint === token.mint) token.pool = address;
  }
}

function toRow(mint: Address, token: Token | undefined, slot: number, now: number): HydratedTokenRow {
  const { account, curve, names } = token ?? {};
  return {
    mint,
    slot,
    checked_at: now,
    retry_at: token === undefined ? now + RETRY_AFTER_SECONDS : 0,
    found: token !== undefined,
    named: names !== undefined,
    name: names?.name ?? '',
    symbol: names?.symbol ?? '',
    uri: names?.uri ?? '',
    decimals: account?.decimals ?? UNKNOWN_DECIMALS,
    supply: account?.supply ?? 0n,
    token_program: token?.program ?? '',
    bonding_curve: curve === undefined ? '' : token!.curveAddress,
    complete: curve?.complete ?? false,
    fee_creator: curve?.creator === ZERO_ADDRESS ? '' : (curve?.creator ?? ''),
    quote_mint: quoteOf(curve?.quoteMint) ?? '',
    mayhem: curve?.isMayhemMode ?? false,
    cashback: curve?.isCashbackCoin ?? false,
    holder_reward: curve?.isHolderReward ?? false,
    creator_fee_bps: feeBps(curve?.creatorFeeBps),
    curve_depth: curve?.depth ?? 0,
    pool: token?.pool ?? '',
  };
}

function feeBps(told: bigint | undefined): number {
  return told === undefined || told > MAX_FEE_BPS ? 0 : Number(told);
}
