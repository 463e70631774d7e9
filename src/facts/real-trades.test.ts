import { describe, expect, it } from 'vitest';
import { hasFixtures, realTransactions } from '../../test/support/fixtures.ts';
import { SettledBalances } from '../../test/support/settled-balances.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import type { Block, Transaction } from '../chain/block.ts';
import { readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import { failingJournal } from '../kernel/journal.ts';
import { decodeEvents } from '../programs/decode.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { readVenueInstruction, type VenueInstruction } from '../programs/venue-instruction.ts';
import { deriveFacts } from './derive.ts';
import type { Swap } from './fact.ts';

interface RealTrade {
  readonly name: string;
  readonly transaction: Transaction;
  readonly swap: Swap;
}

const readBlock = (json: unknown): Block => readRpcTransaction(json, failingJournal);

const trades: RealTrade[] = realTransactions().flatMap(({ name, json }) => {
  const block = readBlock(json);
  return deriveFacts(block, failingJournal).swaps.map((swap) => ({
    name,
    transaction: block.transactions[0]!,
    swap,
  }));
});

const of = (venue: 0 | 1): RealTrade[] => trades.filter((trade) => trade.swap.venue === venue);

/** Tokens that the curve keeps for the pool. */
const POOL_SEED = 206_900_000_000_000n;
/** Minimum balance of an empty account, which the first fee to a creator's vault brings along. */
const EMPTY_ACCOUNT_RENT = 890_880n;

describe.skipIf(!hasFixtures)('real trades, held against the balances that the chain settled', () => {
  it('are all there', () => {
    expect(of(0)).toHaveLength(23);
    expect(of(1)).toHaveLength(14);
  });

  it.each(of(0))('$name: curve, trader and fee accounts moved what the row says', ({ transaction, swap }) => {
    const balances = new SettledBalances(transaction);
    const call = callOf(transaction, swap);
    const curve = bondingCurveAddress(swap.mint);
    const sign = swap.isBuy ? 1n : -1n;

    expect(swap.isBuy).toBe(call.name.startsWith('buy'));
    expect(balances.tokens(swap.trader, swap.mint)).toBe(sign * swap.tokenAmount);
    expect(balances.lamports(curve) - balances.rent(curve)).toBe(sign * swap.quoteAmount);
    expect(balances.held(curve, swap.mint)).toBe(swap.realTokenReserves! + POOL_SEED);

    const paid =
      balances.lamports(call.account('feeRecipient')) + balances.lamports(call.account('buybackFeeRecipient'));
    expect(paid).toBe(swap.fee);
    const vault = balances.lamports(call.account('creatorVault'));
    expect([0n, EMPTY_ACCOUNT_RENT]).toContain(vault - swap.creatorFee);
  });

  it.each(of(1))('$name: pool, trader and fee accounts moved what the row says', ({ transaction, swap }) => {
    const balances = new SettledBalances(transaction);
    const call = callOf(transaction, swap);
    const inverted = call.account('baseMint') === WSOL_MINT;
    const sign = swap.isBuy ? 1n : -1n;
    const pool = swap.pool!;

    expect(swap.isBuy).toBe(call.name.startsWith('buy') !== inverted);
    expect(swap.feeInToken).toBe(inverted);
    expect(swap.mint).toBe(call.account(inverted ? 'quoteMint' : 'baseMint'));
    expect(balances.held(pool, swap.mint)).toBe(swap.realTokenReserves);
    expect(balances.held(pool, WSOL_MINT)).toBe(swap.realQuoteReserves);

    if (inverted) {
      // Fees are in the token, which the trader's account gave or got whole.
      expect(balances.tokens(pool, swap.mint)).toBe(-sign * swap.tokenAmount - swap.fee - swap.creatorFee);
      expect(balances.tokens(pool, WSOL_MINT)).toBe(sign * swap.quoteAmount);
    } else {
      expect(balances.tokens(pool, swap.mint)).toBe(-sign * swap.tokenAmount);
      expect(balances.tokens(pool, WSOL_MINT)).toBe(sign * swap.quoteAmount + swap.lpFee);
    }
    const buyback = accountsOf(transaction, swap).at(-1);
    const recipient = call.account('protocolFeeRecipientTokenAccount');
    const paid = balances.account(recipient) + (buyback === undefined ? 0n : balances.account(buyback));
    expect(paid).toBe(swap.fee);
    expect(balances.account(call.account('coinCreatorVaultAta'))).toBe(swap.creatorFee);
  });

  it('name as trader the owner whose tokens moved, but for one order that another wallet settled', () => {
    const apart = trades.filter(({ transaction, swap }) => {
      const moved = new SettledBalances(transaction).tokens(swap.trader, swap.mint);
      return moved !== (swap.isBuy ? swap.tokenAmount : -swap.tokenAmount);
    });
    // In the first a router kept its share, in the second the signer sold what it drew from an order.
    expect(apart.map(({ name }) => name.slice(0, 9))).toEqual(['356503771', '415000757']);
  });

  it('explain every balance change of a token, but for those two', () => {
    const facts = realTransactions().map(({ name, json }) => {
      return { place: name.slice(0, 9), ...deriveFacts(readBlock(json), failingJournal) };
    });
    const unexplained = facts.filter((each) => each.unexplained.length > 0);
    expect(unexplained.map(({ place }) => place)).toEqual(['356503771', '415000757']);
    // The router's share is all that anybody handed on: its route went on over a market that tells nothing.
    const handed = facts.flatMap(({ place, transfers }) =>
      transfers.flatMap((send) => (send.hidden ? { place, ...send } : [])),
    );
    expect(handed).toMatchObject([{ place: '356503771', amount: 134_152_655n }]);
  });

  it('read the budget of v1 transactions from their message', () => {
    const v1 = trades.filter(({ transaction }) => transaction.version === 1);
    expect(v1.map(({ swap }) => swap.budget.source)).toEqual([1, 1]);
    for (const { transaction, swap } of v1) expect(swap.budget.priorityFee).toBe(transaction.fee - 5_000n);
  });

  it('mark what the protocol itself trades', () => {
    const actors = trades.filter(({ swap }) => swap.protocolActor);
    expect(actors.map(({ name }) => name)).toEqual(['415623442_mayhem-buy+cpi-pump-buy_53fG8Sh9.json']);
  });

  it('are priced on the curve and on canonical pools alone', () => {
    const inverted = trades.filter(({ name }) => name.includes('inverted') || name.startsWith('376243586'));
    expect(inverted).toHaveLength(3);
    for (const trade of trades) expect(trade.swap.priced).toBe(!inverted.includes(trade));
  });
});

describe.skipIf(!hasFixtures)('real transactions around trades', () => {
  it('give the reason of a failed sell, its side and its mint', () => {
    const { json } = realTransactions().find(({ name }) => name.includes('failed'))!;
    const facts = deriveFacts(readBlock(json), failingJournal);
    expect(facts.swaps).toEqual([]);
    expect(facts.attempts).toHaveLength(1);
    expect(facts.attempts[0]).toMatchObject({
      outcome: 'rejected',
      why: 'AccountNotInitialized',
      errorCode: 3012,
      isBuy: false,
      venue: 0,
      mint: 'AvvCHqu34d7BSG2QhbKQTSYPo5WxDbLj3hqgjb6Bpump',
      networkFee: 14_900n,
    });
  });

  it('give a graduation with its canonical pool', () => {
    const { json } = realTransactions().find(({ name }) => name.includes('migrate'))!;
    const facts = deriveFacts(readBlock(json), failingJournal);
    expect(facts.graduated).toHaveLength(1);
    expect(facts.pools).toMatchObject([
      {
        canonical: true,
        inverted: false,
        pool: facts.graduated[0]!.pool,
        quoteAmount: facts.graduated[0]!.quoteAmount,
      },
    ]);
    // The curve moves the pool's tokens and burns the pool's shares: no transfer, no burn of a token.
    expect([facts.transfers, facts.burns, facts.unexplained]).toEqual([[], [], []]);
  });

  it('give no swap of curve or pool and no attempt where no launchpad or pool was touched', () => {
    const others = realTransactions('transactions-other');
    expect(others.length).toBeGreaterThanOrEqual(59);
    for (const { name, json } of others) {
      const block = readBlock(json);
      const facts = deriveFacts(block, failingJournal);
      const traded = facts.swaps.filter(({ venue }) => venue !== 2);
      expect([name, traded, facts.attempts]).toEqual([name, [], []]);
    }
  });

  it.each([
    ['one-sender-eight', 8, 222_000_000_000n],
    ['one-sender-five', 5, 3_000_000_000n],
  ])('give exact edges for %s', (file, receivers, amount) => {
    const { json } = realTransactions('transfers').find(({ name }) => name.startsWith(file))!;
    const block = readBlock(json);
    const { transfers } = deriveFacts(block, failingJournal);
    const balances = new SettledBalances(block.transactions[0]!);
    expect(new Set(transfers.map(({ to }) => to)).size).toBe(receivers);
    expect(new Set(transfers.map(({ from }) => from)).size).toBe(1);
    for (const transfer of transfers) {
      expect([transfer.amount, transfer.ambiguous]).toEqual([amount, false]);
      expect(balances.tokens(transfer.to, transfer.mint)).toBe(amount);
    }
    expect(balances.tokens(transfers[0]!.from, transfers[0]!.mint)).toBe(-amount * BigInt(receivers));
  });
});

function callOf(transaction: Transaction, swap: Swap): VenueInstruction {
  const event = decodeEvents(transaction, failingJournal).find(({ ixIndex }) => ixIndex === swap.ixIndex)!;
  return readVenueInstruction(transaction, transaction.instructions[event.callIndex]!)!;
}

/** Only pools of late have the buyback's account last, but no other account last of an older call holds tokens. */
function accountsOf(transaction: Transaction, swap: Swap): Address[] {
  const event = decodeEvents(transaction, failingJournal).find(({ ixIndex }) => ixIndex === swap.ixIndex)!;
  return Array.from(transaction.instructions[event.callIndex]!.accounts, (key) => transaction.keys.at(key));
}
