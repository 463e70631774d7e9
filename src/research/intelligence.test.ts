import { describe, expect, it } from 'vitest';
import {
  CREATED_SLOT,
  DEV,
  flow,
  intelligenceRows,
  launchBuy,
  move,
  NOW,
  position,
  SUPPLY,
  swap,
} from '../../test/support/intelligence-rows.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { analyseIntelligence, settleHoldings } from './intelligence.ts';
import { type PatternEvidence, patternOf } from './intelligence-pattern.ts';
import { pnlOf } from './intelligence-pnl.ts';
import { snipeSlots } from './intelligence-snipers.ts';

const [ANN, BOB, CAT, EVE] = [21, 22, 23, 24].map(address) as [Address, Address, Address, Address];
const nobody = () => false;

describe('the source of balances', () => {
  const rows = { supply: SUPPLY, positions: [position(ANN, 500n)], flows: [], isNobody: nobody };
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
    const { ledgers } = settleHoldings({ ...rows, isWhole: false, onchain: new Map([[BOB, 400n]]) });
    expect([...ledgers].map(([wallet, { balance }]) => [wallet, balance])).toEqual([
      [ANN, 0n],
      [BOB, 400n],
    ]);
  });
});

describe('the result of a wallet', () => {
  const price = { quote: 3n, token: 1n };

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

  it('is unknown after trades in several quotes, and without any', () => {
    const both = [position(ANN, 100n), position(ANN, 100n, 0n, { quote_mint: address(31) })];
    for (const rows of [both, []]) expect(pnlOf(rows, 100n, price).status).toBe('unknown');
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
    bundled: new Set([DEV, ANN]),
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
    expect(wallets.map(({ ledger, roles }) => [ledger.wallet, roles])).toEqual([
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

  it('have nothing that depends on what they hold where that is not told, and stand in order of their first buys', () => {
    const told = analyseIntelligence({ ...rows, holdings: { ...rows.holdings, isTold: false } });
    expect(told.wallets.map(({ ledger }) => ledger.wallet)).toEqual([DEV, ANN, BOB, CAT, EVE]);
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

describe('events', () => {
  const launchSwaps = [
    launchBuy(DEV, CREATED_SLOT, 0),
    launchBuy(ANN, CREATED_SLOT, 1),
    launchBuy(BOB, CREATED_SLOT, 9),
  ];
  const base = {
    launchSwaps,
    bundled: new Set([DEV, ANN]),
    clusters: [{ funder: address(60), label: undefined, isDev: false, wallets: [CAT, EVE] }],
    ownership: { positions: [position(ANN, 1_000n, 600n), position(BOB, 1_000n, 1_000n), position(DEV, 50n, 1n)] },
  };
  const kinds = (given: Parameters<typeof intelligenceRows>[0]) =>
    analyseIntelligence(intelligenceRows({ ...base, ...given })).events.map(({ kind, slot, wallet }) => [
      kind,
      slot,
      wallet,
    ]);

  it('are what dev, snipers, bundles and whales traded', () => {
    const swaps = [
      swap(BOB, 1_050, 100n),
      swap(ANN, 1_040, 400n),
      swap(CAT, 1_035, SUPPLY / 100n, { is_buy: true }),
      swap(CAT, 1_034, SUPPLY / 100n),
      swap(EVE, 1_033, SUPPLY / 100n - 1n),
      swap(BOB, 1_030, 600n),
      swap(ANN, 1_020, 200n),
      swap(BOB, 1_015, 300n),
      swap(DEV, 1_010, 1n),
      swap(DEV, 1_000, 50n, { is_buy: true }),
    ];
    expect(kinds({ swaps })).toEqual([
      ['sniper_exit', 1_050, BOB],
      ['bundle_exit', 1_040, ANN],
      ['whale_buy', 1_035, CAT],
      ['whale_sell', 1_034, CAT],
      ['sniper_exit', 1_030, BOB],
      ['dev_sell', 1_010, DEV],
      ['dev_buy', 1_000, DEV],
    ]);
  });

  it('are no exit while a twentieth leaves at a time', () => {
    expect(kinds({ swaps: [swap(BOB, 1_050, 99n)] })).toEqual([]);
  });

  it('are what the dev and clusters sent, with its receiver, and what was burnt', () => {
    const moves = [
      move(DEV, 1_010, 1n, ANN),
      move(CAT, 1_020, 2n, BOB),
      move(BOB, 1_030, 3n, CAT),
      move(BOB, 1_040, 4n, ''),
    ];
    const { events } = analyseIntelligence(intelligenceRows({ ...base, moves }));
    expect(events.map(({ kind, wallet, counterparty, isBuy }) => [kind, wallet, counterparty, isBuy])).toEqual([
      ['burn', BOB, undefined, undefined],
      ['cluster_transfer', CAT, BOB, undefined],
      ['dev_transfer_out', DEV, ANN, undefined],
    ]);
  });

  it('are the fifty newest, newest first', () => {
    const swaps = Array.from({ length: 60 }, (_, i) => swap(DEV, 2_000 - i, 1n));
    const slots = kinds({ swaps }).map(([, slot]) => slot);
    expect(slots).toEqual(Array.from({ length: 50 }, (_, i) => 2_000 - i));
  });
});

describe('the pattern', () => {
  const nothing: PatternEvidence = {
    ...{ supply: SUPPLY, isLaunchSeen: true, buyers: 20, snipersBought: 0n, isBundled: false, clusterSize: 0 },
    ...{ clustersBought: 0n, devHolds: 0n, givenWallets: 0, given: 0n, insidersBought: 0n, insidersSold: 0n },
  };
  /** From the gravest: what makes it apply, and what falls just short of it. */
  const rules: [string, Partial<PatternEvidence>, Partial<PatternEvidence>][] = [
    ['exit_in_progress', { insidersBought: 40_000n, insidersSold: 10_000n }, { insidersSold: 9_999n }],
    ['distributed_by_transfer', { givenWallets: 5, given: 50_000n }, { givenWallets: 4 }],
    ['dev_heavy', { devHolds: 200_000n }, { devHolds: 199_999n }],
    ['shared_funder', { clusterSize: 3, clustersBought: 20_000n }, { clustersBought: 19_999n }],
    ['bundled_launch', { isBundled: true }, { isBundled: false }],
    ['sniper_led', { snipersBought: 100_000n }, { snipersBought: 99_999n }],
    ['organic', { buyers: 20 }, { buyers: 19 }],
  ];

  /** Evidence for a rule and all milder ones. */
  const factsFrom = (place: number): PatternEvidence =>
    Object.assign(
      {},
      nothing,
      ...rules
        .slice(place)
        .toReversed()
        .map(([, facts]) => facts),
    );

  it.each(rules.map(([pattern], place) => [pattern, place] as const))(
    'is %s before all milder ones',
    (pattern, place) => {
      const evidence = factsFrom(place);
      expect(patternOf(evidence)).toBe(pattern);
      const [, , short] = rules[place]!;
      expect(patternOf({ ...evidence, ...short })).toBe(rules[place + 1]?.[0] ?? 'insufficient_data');
    },
  );

  it('is no exit while the insiders keep three quarters of what they bought', () => {
    expect(patternOf({ ...nothing, insidersBought: 40_001n, insidersSold: 10_000n })).toBe('organic');
  });

  it('says nothing of a dev whose holdings are not told, and nothing that is a share without a supply', () => {
    expect(patternOf({ ...nothing, devHolds: undefined })).toBe('organic');
    const all = factsFrom(0);
    expect(patternOf({ ...all, supply: undefined, isBundled: false })).toBe('organic');
  });

  it('is made of what the rows say', () => {
    const launchSwaps = [launchBuy(ANN, CREATED_SLOT, 3)];
    const ownership = { positions: [position(ANN, 200_000n, 60_000n)] };
    const swaps = [swap(ANN, 1_100, 60_000n, { time: NOW - 599 })];
    expect(analyseIntelligence(intelligenceRows({ launchSwaps, ownership, swaps })).pattern).toBe('exit_in_progress');
    const old = [swap(ANN, 1_100, 60_000n, { time: NOW - 600 })];
    expect(analyseIntelligence(intelligenceRows({ launchSwaps, ownership, swaps: old })).pattern).toBe('sniper_led');
    const given = [30, 31, 32, 33, 34].map((seed) => flow(address(seed), { received: 10_000n }));
    const flows = [...given, flow(ANN, { sent: 50_000n })];
    const rows = { launchSwaps, ownership: { ...ownership, flows } };
    expect(analyseIntelligence(intelligenceRows(rows)).pattern).toBe('distributed_by_transfer');
  });
});
