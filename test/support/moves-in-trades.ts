import type { Address } from '../../src/chain/address.ts';
import { addressBytes } from '../../src/chain/keys/address-table.ts';
import { findProgramAddress, isOnCurve } from '../../src/chain/keys/pda.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { buildBlock, someAddress, type TokenSpec, type TransactionSpec } from './transaction-builder.ts';
import { curveBuy, tradeEvent } from './venue-trades.ts';

/** A buy on the curve of one mint, and what else may move in its transaction: for tests of moves inside trades. */

/** An address that a key can belong to. */
export function someWallet(): Address {
  for (;;) {
    const address = someAddress();
    if (isOnCurve(addressBytes(address))) return address;
  }
}

export const mint = someAddress();
/** Raw units that the buy brings. */
export const TOKENS = 35_000_000_000n;
export const PART = TOKENS / 10n;
/** Half of the lamports that the buy costs. */
export const PAID = 500_000n;
/** Raw units that everybody held before. */
export const HELD = 10n ** 15n;
/** The buyer, and others: in order of address, by which moves are paired. */
export const [dev, b, c, d] = [someWallet(), someWallet(), someWallet(), someWallet()].sort() as [
  Address,
  Address,
  Address,
  Address,
];
/** An address that no key can belong to. */
export const market = findProgramAddress([Uint8Array.of(3)], someAddress()).address;
export const buy = curveBuy(tradeEvent({ mint, user: dev }));

/** Facts of a block of one transaction: the buy, unless other calls are named. */
export function deriveTrade(tokens: readonly TokenSpec[], over: Partial<TransactionSpec> = {}): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [dev], calls: [buy], tokens, ...over }]), failingJournal);
}

/** A balance that changed by so much. */
export function moved(owner: Address, delta: bigint, of = mint): TokenSpec {
  return { mint: of, owner, pre: HELD, post: HELD + delta };
}

export const edges = ({ transfers }: BlockFacts) =>
  transfers.map(({ from, to, amount, hidden }) => [from, to, amount, hidden]);

export const left = ({ unexplained }: BlockFacts) => unexplained.map(({ owner, delta }) => [owner, delta]);
