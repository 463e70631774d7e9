import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  burn,
  someAddress,
  type TokenSpec,
  type TransactionSpec,
} from '../../test/support/transaction-builder.ts';
import { curveBuy, poolBuy, poolEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT, ZERO_ADDRESS } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { coinCreatorVaultAuthorityAddress } from '../programs/pump-amm/addresses.ts';
import type { BuyEvent } from '../programs/pump-amm/events.ts';
import { FEE_RECIPIENTS } from '../simulator/scenery.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const [mint, wallet] = [someAddress(), someAddress()];
const TOKENS = 35_000_000_000n;

function derive(spec: TransactionSpec): BlockFacts {
  return deriveFacts(buildBlock([spec]), failingJournal);
}

const gained = (owner: Address, amount: bigint) => ({ mint, owner, pre: 100n, post: 100n + amount });

describe('a balance change of a trading transaction', () => {
  const calls = [curveBuy(tradeEvent({ mint, user: wallet }))];

  it('is explained when it is the trade, the reserves or a burn', () => {
    const curve = { ...gained(bondingCurveAddress(mint), 0n), pre: TOKENS, post: 0n };
    expect(derive({ signers: [wallet], calls, tokens: [gained(wallet, TOKENS), curve] }).unexplained).toEqual([]);
  });

  it('is told when no other owner explains it, at places after the instructions, in order of owner', () => {
    const others = [someAddress(), someAddress()].sort();
    const tokens = [gained(wallet, TOKENS), ...others.map((other) => gained(other, 7n))];
    const { unexplained, transfers } = derive({ signers: [wallet], calls, tokens });
    expect(unexplained.map(({ owner, ixIndex, delta }) => [owner, ixIndex, delta])).toEqual([
      [others[0], 2, 7n],
      [others[1], 3, 7n],
    ]);
    expect(transfers).toEqual([]);
  });

  it('is explained when the trader burnt a part', () => {
    const account = someAddress();
    const tokens = [{ ...gained(wallet, TOKENS - 5n), account }];
    const facts = derive({ signers: [wallet], calls: [...calls, burn(account, mint, wallet, 5n)], tokens });
    expect(facts.burns).toMatchObject([{ owner: wallet, amount: 5n }]);
    expect(facts.unexplained).toEqual([]);
  });

  it('is never told of a coin that a swap was quoted in', () => {
    const quote = someAddress();
    const paid = { ...gained(wallet, -7n), mint: quote };
    const pool = [poolBuy(poolEvent({ user: wallet }), mint, quote)];
    expect(derive({ signers: [wallet], calls: pool, tokens: [gained(wallet, 50_000_000n), paid] }).unexplained).toEqual(
      [],
    );
  });

  it('is no holding of the fee wallets, however many fees of one transaction each of them got', () => {
    const [feeWallet, creator, stranger] = [someAddress(), someAddress(), someAddress()];
    const pool = someAddress();
    const event = poolEvent({ user: wallet, pool, protocolFeeRecipient: feeWallet, coinCreator: creator });
    const swap = poolBuy(event, WSOL_MINT, mint);
    const spent = event.userQuoteAmountIn;
    const moved = (owner: Address, delta: bigint): TokenSpec => ({
      mint,
      owner,
      pre: 10n * spent,
      post: 10n * spent + delta,
    });
    const fees = [
      moved(wallet, -2n * spent),
      moved(feeWallet, 2n * event.protocolFee),
      moved(coinCreatorVaultAuthorityAddress(creator), 2n * event.coinCreatorFee!),
    ];
    expect(derive({ signers: [wallet], calls: [swap, swap], tokens: fees }).unexplained).toEqual([]);
    const more = derive({ signers: [wallet], calls: [swap, swap], tokens: [...fees, moved(stranger, 3n)] });
    expect(more.unexplained).toMatchObject([{ owner: stranger, delta: 3n }]);
  });

  it('is explained by the buybacks of several trades, whose receiver no event names', () => {
    const [receiver, stranger] = [someAddress(), someAddress()];
    const event = {
      ...poolEvent({ user: wallet, protocolFeeRecipient: ZERO_ADDRESS, protocolFee: 500n }),
      ...latest(250n),
    };
    const other = { ...event, buybackFee: 40n, pool: someAddress() };
    const calls = [poolBuy(event, WSOL_MINT, mint), poolBuy(other, WSOL_MINT, mint)];
    const spent = 2n * event.userQuoteAmountIn;
    const moved = (owner: Address, delta: bigint): TokenSpec => ({
      mint,
      owner,
      pre: 10n * spent,
      post: 10n * spent + delta,
    });
    const told = (delta: bigint) =>
      derive({ signers: [wallet], calls, tokens: [moved(wallet, -spent), moved(receiver, delta)] }).unexplained;
    expect(told(290n)).toEqual([]);
    expect(told(40n)).toEqual([]);
    // What stays in the vault is nobody's, whoever got as much.
    expect(told(1_000n)).toMatchObject([{ owner: receiver, delta: 1_000n }]);
    expect(told(291n)).toMatchObject([{ owner: receiver, delta: 291n }]);
    const both = [moved(wallet, -spent), moved(receiver, 290n), moved(stranger, 40n)];
    expect(derive({ signers: [wallet], calls, tokens: both }).unexplained).toHaveLength(1);
  });

  it('is never told of the wallets that the launchpad’s fees go to', () => {
    const sent = [gained(wallet, TOKENS - 70n), gained(FEE_RECIPIENTS[0]!, 70n)];
    expect(derive({ signers: [wallet], calls, tokens: sent }).unexplained).toMatchObject([
      { owner: wallet, delta: -70n },
    ]);
  });

  it('is never told of money', () => {
    const money = { ...gained(wallet, 5n), mint: WSOL_MINT };
    expect(derive({ signers: [wallet], calls, tokens: [gained(wallet, TOKENS), money] }).unexplained).toEqual([]);
  });
});

/** The newest fields of a buy's event, of a trade that paid such a buyback. */
function latest(buybackFee: bigint): Partial<BuyEvent> {
  return {
    trackVolume: false,
    totalUnclaimedTokens: 0n,
    totalClaimedTokens: 0n,
    currentSolVolume: 0n,
    lastUpdateTimestamp: 0n,
    minBaseAmountOut: 0n,
    ixName: 'buy_v2',
    cashbackFeeBasisPoints: 0n,
    cashback: 0n,
    buybackFeeBasisPoints: 5_000n,
    buybackFee,
    virtualQuoteReserves: 0n,
    canBoost: false,
    baseSupply: 0n,
  };
}
