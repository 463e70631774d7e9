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
} from '../../../test/support/intelligence-rows.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { analyseIntelligence, maySendsBeFlagged } from './intelligence-rules.ts';
import { type PatternEvidence, patternOf } from './pattern-rules.ts';

const [ANN, BOB, CAT, EVE] = [21, 22, 23, 24].map(address) as [Address, Address, Address, Address];

describe('events', () => {
  const launchSwaps = [
    launchBuy(DEV, CREATED_SLOT, 0),
    launchBuy(ANN, CREATED_SLOT, 1),
    launchBuy(BOB, CREATED_SLOT, 9),
  ];
  const base = {
    launchSwaps,
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

  it('are no exit of a wallet whose trades were not read', () => {
    expect(kinds({ swaps: [swap(BOB, 1_050, 100n)], ownership: { positions: [] } })).toEqual([]);
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
    ...{ clustersBought: 0n, devHolds: 0n, isHandedOut: false, insidersBought: 0n, insidersSold: 0n },
    ...{ isCreatorGone: false, haveInsidersLeft: false },
  };
  /** From the gravest: what makes it apply, and what falls just short of it. */
  const rules: [string, Partial<PatternEvidence>, Partial<PatternEvidence>][] = [
    ['exit_in_progress', { insidersBought: 40_000n, insidersSold: 10_000n }, { insidersSold: 9_999n }],
    ['insiders_left', { haveInsidersLeft: true }, { haveInsidersLeft: false }],
    ['distributed_by_transfer', { isHandedOut: true }, { isHandedOut: false }],
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
    // Sends that nobody told may have handed it out.
    expect(patternOf({ ...nothing, isHandedOut: undefined })).toBe('insufficient_data');
    expect(patternOf({ ...nothing, isHandedOut: undefined, isBundled: true })).toBe('bundled_launch');
    const all = factsFrom(0);
    expect(
      patternOf({ ...all, supply: undefined, isBundled: false, isHandedOut: false, haveInsidersLeft: false }),
    ).toBe('organic');
  });

  it('asks for sends only where enough wallets got some, or where not all of it is known', () => {
    const holdings = (receivers: number) => {
      const flows = Array.from({ length: receivers }, (_, place) => flow(address(30 + place), { received: 10n }));
      return intelligenceRows({ ownership: { flows: [...flows, flow(ANN, { sent: 50n })] } }).holdings;
    };
    expect(maySendsBeFlagged(holdings(5), true)).toBe(true);
    expect(maySendsBeFlagged(holdings(4), true)).toBe(false);
    expect(maySendsBeFlagged(holdings(0), false)).toBe(true);
  });

  it('is not organic once the creator is gone, in whatever way it went', () => {
    expect(patternOf({ ...nothing, isCreatorGone: true })).toBe('insufficient_data');
  });

  it('is made of what the rows say', () => {
    const launchSwaps = [launchBuy(ANN, CREATED_SLOT, 3)];
    const ownership = { positions: [position(ANN, 200_000n, 60_000n)] };
    const swaps = [swap(ANN, 1_100, 60_000n, { time: NOW - 599 })];
    expect(analyseIntelligence(intelligenceRows({ launchSwaps, ownership, swaps })).pattern).toBe('exit_in_progress');
    const old = [swap(ANN, 1_100, 60_000n, { time: NOW - 600 })];
    expect(analyseIntelligence(intelligenceRows({ launchSwaps, ownership, swaps: old })).pattern).toBe('sniper_led');
    const left = { positions: [position(DEV, 5_000n, 4_600n)] };
    expect(analyseIntelligence(intelligenceRows({ ownership: left, buyers: 40 })).pattern).toBe('insiders_left');
    const handedOut = intelligenceRows({ launchSwaps, ownership, isHandedOut: true });
    expect(analyseIntelligence(handedOut).pattern).toBe('distributed_by_transfer');
  });
});
