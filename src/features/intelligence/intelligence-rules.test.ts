import { describe, expect, it } from 'vitest';
import {
  CREATED_SLOT,
  DEV,
  flow,
  intelligenceRows,
  launchBuy,
  NOW,
  position,
  result,
  SUPPLY,
} from '../../../test/support/intelligence-rows.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { analyseIntelligence, settleHoldings } from './intelligence-rules.ts';
import { pnlOf } from './pnl-rules.ts';
import { snipeSlots } from './sniper-rules.ts';

const [ANN, BOB, CAT, EVE] = [21, 22, 23, 24].map(address) as [Address, Address, Address, Address];
const nobody = () => false;

describe('the source of balances', () => {
  const rows = { supply: SUPPLY, positions: [position(ANN, 500n)], flows: [], results: [], isNobody: nobody };
  const chain = new Map([[BOB, 400n]]);
  const lacking = [flow(CAT, { sent: SUPPLY / 100n })];

  it.each([
    ['indexed_transfers', 'a whole history that agrees', { isWhole: true, onchain: chain, flows: [] }, true],
    [
      'indexed_transfers',
      'one that does not, without a node',
      { isWhole: true, onchain: undefined, flows: lacking },
      false,
    ],
    ['onchain', 'one that does not, with a node', { isWhole: true, onchain: chain, flows: lacking }, true],
    ['swap_estimate', 'a history with holes', { isWhole: false, onchain: undefined, flows: lacking }, false],
    ['onchain', 'a history with holes and a node', { isWhole: false, onchain: chain, flows: lacking }, true],
    [
      'swap_estimate',
      'no supply to take shares of',
      { isWhole: true, onchain: chain, flows: [], supply: undefined },
      false,
    ],
  ] as const)('is %s for %s', (source, _what, given, isTold) => {
    const holdings = settleHoldings({ ...rows, ...given });
    expect([holdings.source, holdings.isTold]).toEqual([source, isTold]);
    // Rule 3: what is not evaluated is false and 0.
    if (source !== 'indexed_transfers') {
      expect(holdings.reconciliation).toEqual({ untraced: 0n, untracedPct: 0, unreconciled: false });
    }
  });

  it('takes balances from the chain for those that traded and those that never did', () => {
    const { walletBalances } = settleHoldings({ ...rows, isWhole: false, onchain: new Map([[BOB, 400n]]) });
    expect([...walletBalances].map(([wallet, { balance }]) => [wallet, balance])).toEqual([
      [ANN, 0n],
      [BOB, 400n],
    ]);
  });
});

describe('the result of a wallet', () => {
  const price = { quote: 3n, token: 1n };
  const worth2 = { quote: 2n, token: 1n };

  it.each([
    ['profit', 'what it holds is worth more', position(ANN, 100n), 100n, price, 0n, 200n],
    ['loss', 'it sold for less', position(ANN, 100n, 100n, { price: 0n }), 0n, price, -100n, 0n],
    ['flat', 'the result is within a hundredth', position(ANN, 100n), 100n, { quote: 101n, token: 100n }, 0n, 1n],
    ['profit', 'the result is just over it', position(ANN, 100n), 100n, { quote: 102n, token: 100n }, 0n, 2n],
    ['profit', 'half was sent away, and took its cost along', position(ANN, 100n), 50n, price, 0n, 100n],
    ['unknown', 'it got more than it bought', position(ANN, 100n), 150n, price, 0n, undefined],
    ['unknown', 'it sold what it never bought', position(ANN, 10n, 20n), 0n, price, undefined, 0n],
    ['unknown', 'no price is known of what it holds', position(ANN, 100n), 100n, undefined, 0n, undefined],
    ['unknown', 'more left than came', position(ANN, 100n), -1n, price, 0n, undefined],
  ] as const)('is %s when %s', (status, _why, row, balance, at, realized, unrealized) => {
    expect(pnlOf([row], balance, at)).toEqual({ status, realized, unrealized });
  });

  it('is told by the order of everything, of who moved tokens outside of trades', () => {
    // Bought 100 for 100, sent all away, bought 100 for 200, and sold them for 200: trades alone call it a gain of 50.
    const trades = position(ANN, 200n, 100n, { quote_invested: 300n, realized_pnl: 50n });
    const sold = result(ANN, { basis: 0n, basis_tokens: 0n, realized_pnl: 0n });
    expect(pnlOf([trades], 0n, price)).toEqual({ status: 'profit', realized: 50n, unrealized: 0n });
    expect(pnlOf([trades], 0n, price, sold)).toEqual({ status: 'flat', realized: 0n, unrealized: 0n });
    const unknown = { ...sold, pnl_known: false };
    expect(pnlOf([trades], 0n, price, unknown)).toEqual({ status: 'unknown', realized: undefined, unrealized: 0n });
    const inTwo = { ...sold, quotes: 2 };
    expect(pnlOf([trades], 0n, price, inTwo)).toEqual({
      status: 'unknown',
      realized: undefined,
      unrealized: undefined,
    });
  });

  it('is counted by the order of everything too', () => {
    // Of 200 tokens for 300 the cheap half was sent away: what is left cost 200, and is worth 200.
    const positions = [position(ANN, 200n, 0n, { basis: 300n })];
    const flows = [flow(ANN, { sent: 100n })];
    const results = [result(ANN, { basis: 200n, basis_tokens: 100n })];
    const counts = (ownership: object) => analyseIntelligence(intelligenceRows({ price: worth2, ownership })).pnl;
    expect(counts({ positions, flows })).toMatchObject({ profit: 1, flat: 0 });
    expect(counts({ positions, flows, results })).toMatchObject({ profit: 0, flat: 1 });
  });

  it('is unknown after trades in several quotes, and without any', () => {
    const both = [position(ANN, 100n), position(ANN, 100n, 0n, { quote_mint: address(31) })];
    for (const rows of [both, []]) expect(pnlOf(rows, 100n, price).status).toBe('unknown');
  });

  it('is unknown after trades in another quote than the price, whose units are no lamports', () => {
    const other = position(ANN, 100n, 0n, { quote_mint: address(31) });
    expect(pnlOf([other], 100n, price)).toEqual({ status: 'unknown', realized: undefined, unrealized: undefined });
  });

  it('is counted for those who hold something', () => {
    const positions = [position(ANN, 100n), position(BOB, 100n, 100n), position(CAT, 50n)];
    const flows = [flow(EVE, { received: 10n }), flow(ANN, { sent: 10n })];
    const { pnl } = analyseIntelligence(intelligenceRows({ price, ownership: { positions, flows } }));
    expect(pnl).toEqual({ profit: 2, loss: 0, flat: 0, unknown: 1 });
  });
});

describe('snipers', () => {
  it.each([
    [400, 2],
    [350, 3],
    [300, 3],
    [250, 4],
    [200, 4],
    // Measured in whole seconds over a thousand slots.
    [199, 4],
    [201, 4],
    [398, 2],
    [402, 2],
    [190, 5],
  ])('of slots of %i ms come within %i', (slotMs, slots) => {
    expect(snipeSlots(slotMs)).toBe(slots);
  });

  const launchSwaps = [
    launchBuy(DEV, CREATED_SLOT, 0),
    launchBuy(ANN, CREATED_SLOT, 5),
    launchBuy(BOB, CREATED_SLOT + 4, 1),
    launchBuy(CAT, CREATED_SLOT + 4, 2, { is_buy: false }),
    launchBuy(address(40), CREATED_SLOT + 4, 3, { protocol_actor: true }),
    launchBuy(EVE, CREATED_SLOT + 5, 0),
  ];
  const positions = [position(ANN, 5_000n, 5_000n), position(BOB, 30_000n), position(EVE, 10n)];

  it('are those whose first buy lands with the creation or within moments, the dev and the protocol apart', () => {
    const { snipers } = analyseIntelligence(intelligenceRows({ launchSwaps, ownership: { positions } }));
    expect(snipers).toEqual({
      wallets: new Set([ANN, BOB]),
      ...{ total: 2, holding: 1, closed: 1, unknown: 0, supplyPct: 3, partial: false, maxSlots: 4 },
    });
  });

  it('are all unknown, and hold no share, where ownership is not told', () => {
    const ownership = { positions, isWhole: false };
    const { snipers } = analyseIntelligence(intelligenceRows({ launchSwaps, ownership }));
    expect(snipers).toMatchObject({ total: 2, holding: 0, closed: 0, unknown: 2, supplyPct: undefined });
  });

  it('are those of the creation slot alone, and maybe more, while the time of a slot is not known', () => {
    const rows = intelligenceRows({ launchSwaps, slotMs: undefined, ownership: { positions } });
    expect(analyseIntelligence(rows).snipers).toMatchObject({ total: 1, maxSlots: undefined, partial: true });
  });

  it('may be more than are known when the launch has more swaps than are read', () => {
    const rows = intelligenceRows({ launchSwaps: launchSwaps.slice(0, 3), ownership: { positions } });
    const launch = { ...rows.facts.launch!, complete: false };
    expect(analyseIntelligence({ ...rows, facts: { ...rows.facts, launch } }).snipers?.partial).toBe(true);
  });

  it('are not told of while nobody saw the launch', () => {
    expect(analyseIntelligence(intelligenceRows({ isLaunchSeen: false })).snipers).toBeUndefined();
  });
});

describe('wallets', () => {
  const launchSwaps = [
    launchBuy(DEV, CREATED_SLOT, 0),
    launchBuy(ANN, CREATED_SLOT, 1),
    launchBuy(BOB, CREATED_SLOT, 9),
  ];
  const funding = (funder: Address, madeAt?: number) => ({ funder, label: undefined, madeAt });
  const rows = intelligenceRows({
    launchSwaps,
    fundings: new Map([
      [ANN, funding(DEV, NOW - 60 - 86_400)],
      [BOB, funding(address(60), NOW - 60 - 86_401)],
    ]),
    clusters: [{ funder: address(60), label: undefined, isDev: false, wallets: [BOB, CAT] }],
    ownership: {
      positions: [position(DEV, 10n), position(ANN, 10_000n, 1n), position(BOB, 9_999n), position(CAT, 100n, 99n)],
      flows: [flow(EVE, { received: 5n }), flow(ANN, { sent: 5n, received: 6n })],
    },
  });

  it('have the roles that the evidence gives them', () => {
    const { wallets } = analyseIntelligence(rows);
    expect(wallets.map(({ walletBalance, roles }) => [walletBalance.wallet, roles])).toEqual([
      [ANN, ['sniper', 'bundle', 'funded_by_dev', 'fresh', 'whale']],
      [BOB, ['sniper', 'shared_funder']],
      [DEV, ['dev', 'bundle']],
      [EVE, ['airdropped']],
      [CAT, ['shared_funder']],
    ]);
    expect(wallets.map(({ state }) => state)).toEqual(['holding', 'holding', 'holding', 'holding', 'closed']);
    expect(wallets[0]).toMatchObject({
      balance: 10_000n,
      supplyPct: 1,
      movedIn: 6n,
      movedOut: 5n,
      bundle: 0,
      slotsAfterCreation: 0,
    });
  });

  it('have no moves, and are not said to have been given anything, where the chain told balances that moves do not explain', () => {
    const { positions, flows } = {
      positions: [position(ANN, 100n)],
      flows: [flow(EVE, { received: 5n }), flow(ANN, { sent: 5n })],
    };
    const onchain = new Map([
      [ANN, 300n],
      [EVE, 7n],
    ]);
    const ownership = { positions, flows, onchain, isWhole: false };
    const { wallets } = analyseIntelligence(intelligenceRows({ ownership }));
    expect(
      wallets.map(({ walletBalance, balance, movedIn, movedOut, roles }) => [
        walletBalance.wallet,
        ...[balance, movedIn, movedOut, roles],
      ]),
    ).toEqual([
      [ANN, 300n, undefined, undefined, []],
      [EVE, 7n, undefined, undefined, []],
    ]);
  });

  it('have the place of their first buy only where that is their first trade', () => {
    const launch = [launchBuy(ANN, CREATED_SLOT, 4), launchBuy(BOB, CREATED_SLOT + 3, 5)];
    const positions = [position(ANN, 100n), position(BOB, 50n)];
    const { wallets } = analyseIntelligence(intelligenceRows({ launchSwaps: launch, ownership: { positions } }));
    expect(wallets.map(({ firstPlace }) => firstPlace)).toEqual([4, undefined]);
  });

  it('have nothing that depends on what they hold where that is not told, and stand in order of their first buys', () => {
    const told = analyseIntelligence({ ...rows, holdings: { ...rows.holdings, isTold: false } });
    expect(told.wallets.map(({ walletBalance }) => walletBalance.wallet)).toEqual([DEV, ANN, BOB, CAT, EVE]);
    for (const wallet of told.wallets) {
      expect(wallet).toMatchObject({
        state: 'unknown',
        balance: undefined,
        supplyPct: undefined,
        movedIn: undefined,
        movedOut: undefined,
      });
      expect(wallet.pnl).toEqual({ status: 'unknown', realized: undefined, unrealized: undefined });
      expect(wallet.roles).not.toContain('whale');
      expect(wallet.roles).not.toContain('airdropped');
    }
    expect(told.pnl).toBeUndefined();
  });
});
