import { type Address, WSOL_MINT } from '../chain/address.ts';
import type { Instruction, TokenBalance, Transaction } from '../chain/block.ts';
import { seekKey } from '../chain/keys/sought-keys.ts';
import { bondingCurveAddress, canonicalPoolAddress } from '../programs/pump/addresses.ts';
import { PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { quoteMint } from '../programs/registry/index.ts';
import { readSwapHops, readVenueInstruction, type VenueInstruction } from '../programs/venue-instruction.ts';
import { poolSides } from './pool-sides.ts';
import { AMM, BONDING_CURVE } from './venue.ts';

const PUMP = seekKey(PUMP_PROGRAM);
const PUMP_AMM = seekKey(PUMP_AMM_PROGRAM);

/** A mint that a reverted transaction tried to trade. */
export interface AttemptedMint {
  readonly mint: Address;
  readonly venue: typeof BONDING_CURVE | typeof AMM;
  /** Undefined when no instruction tells. */
  readonly isBuy: boolean | undefined;
  /** Undefined when no instruction tells. */
  readonly user: Address | undefined;
  /** Of the trade instruction; undefined when none was recorded. */
  readonly ixIndex: number | undefined;
}

/**
 * The mints that a reverted transaction tried to trade, each once: those its
 * recorded venue instructions name, else (when it stopped before any was
 * recorded) those that its token balances and keys give away.
 */
export function attemptedMints(transaction: Transaction): AttemptedMint[] {
  const { keys } = transaction;
  const pump = keys.find(PUMP);
  const amm = keys.find(PUMP_AMM);
  if (pump < 0 && amm < 0) return [];
  const found: AttemptedMint[] = [];
  let recorded = false;
  for (const instruction of transaction.instructions) {
    if (instruction.programIndex !== pump && instruction.programIndex !== amm) continue;
    recorded = true;
    addInstructed(transaction, instruction, found);
  }
  if (!recorded) addHeld(transaction, pump >= 0, amm >= 0, found);
  return found;
}

function addInstructed(transaction: Transaction, instruction: Instruction, found: AttemptedMint[]): void {
  const venue = readVenueInstruction(transaction, instruction);
  if (venue === undefined) return;
  if (venue.program === 'pump_amm' && venue.name === 'multi_hop_swap') {
    const user = venue.account('user');
    for (const hop of readSwapHops(transaction, instruction)) {
      const mint = poolSides({ base: hop.baseMint, quote: hop.quoteMint }).token;
      add(found, { mint, venue: AMM, isBuy: undefined, user, ixIndex: instruction.index });
    }
    return;
  }
  const buysBase = tradeSide(venue.name);
  const base = venue.account('baseMint') ?? venue.account('mint');
  if (buysBase === undefined || base === undefined) return;
  const user = venue.account('user');
  if (venue.program === 'pump') {
    add(found, { mint: base, venue: BONDING_CURVE, isBuy: buysBase, user, ixIndex: instruction.index });
    return;
  }
  const quote = venue.account('quoteMint');
  if (quote === undefined) return;
  const { token, inverted } = poolSides({ base, quote });
  add(found, { mint: token, venue: AMM, isBuy: buysBase !== inverted, user, ixIndex: instruction.index });
}

/** True for a buy of the base, false for a sell, undefined for what is no trade. */
function tradeSide(name: VenueInstruction['name']): boolean | undefined {
  if (name.startsWith('buy')) return true;
  return name.startsWith('sell') ? false : undefined;
}

function addHeld(transaction: Transaction, curves: boolean, pools: boolean, found: AttemptedMint[]): void {
  const { keys, tokenBalances } = transaction;
  for (const { mint } of tokenBalances) {
    if (quoteMint(mint) !== undefined || found.some((known) => known.mint === mint)) continue;
    // The mint itself must be among the keys; this also spares most mints the address arithmetic.
    if (keys.indexOf(mint) < 0) continue;
    const venue = findVenue(transaction, mint, curves, pools);
    if (venue !== undefined) add(found, { mint, venue, isBuy: undefined, user: undefined, ixIndex: undefined });
  }
}

function findVenue(transaction: Transaction, mint: Address, curves: boolean, pools: boolean): 0 | 1 | undefined {
  const { keys } = transaction;
  if (pools && keys.indexOf(canonicalPoolAddress(mint, WSOL_MINT)) >= 0) return 1;
  if (curves && keys.indexOf(bondingCurveAddress(mint)) >= 0) return 0;
  return pools && isHeldByPool(transaction, mint) ? 1 : undefined;
}

/** Some account among the keys that did not sign holds the mint and a quote: the shape of a pool. */
function isHeldByPool({ keys, signerCount, tokenBalances }: Transaction, mint: Address): boolean {
  for (const balance of tokenBalances) {
    const owner = ownerOf(balance);
    if (balance.mint !== mint || owner === undefined || keys.indexOf(owner) < signerCount) continue;
    if (tokenBalances.some((other) => ownerOf(other) === owner && quoteMint(other.mint) !== undefined)) return true;
  }
  return false;
}

function ownerOf(balance: TokenBalance): Address | undefined {
  return balance.postOwner ?? balance.preOwner;
}

function add(found: AttemptedMint[], attempt: AttemptedMint): void {
  if (!found.some((known) => known.mint === attempt.mint)) found.push(attempt);
}
