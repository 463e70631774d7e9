import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CREATED_INDEX,
  CREATED_SLOT,
  CREATOR,
  creationRow,
  LAUNCH_MINT,
  type LaunchTransaction,
  landed,
  launchScripts,
  leg,
  rowsOf,
  USDC,
} from '../../../test/support/launch-script.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { analyseLaunch, type BundleEvidence, type LaunchRows } from './launch-rules.ts';

const SUPPLY = 10n ** 15n;
const [ANN, BEN, CID, AGENT] = [31, 32, 33, 39].map((seed) => address(seed)) as [
  ReturnType<typeof address>,
  ReturnType<typeof address>,
  ReturnType<typeof address>,
  ReturnType<typeof address>,
];

function analyse(script: readonly LaunchTransaction[], more: Partial<LaunchRows> = {}) {
  const { swaps } = rowsOf(script);
  return analyseLaunch({ mint: LAUNCH_MINT, creation: creationRow, supply: SUPPLY, swaps, ...more });
}

const DEV = landed(0, CREATED_INDEX, leg(CREATOR));

describe('a launch', () => {
  it('is told in runs of transactions without a gap between them', () => {
    const launch = analyse([
      DEV,
      landed(0, 41, leg(ANN, { tokens: 20_000_000_000_000n, quote: 700_000_000n })),
      landed(0, 42, leg(BEN)),
      landed(0, 44, leg(CID)),
      landed(1, 45, leg(ANN, { isBuy: false })),
    ]);
    expect(launch).toMatchObject({ creator: CREATOR, bundleCount: 1, bundledPctSupply: 4, devBundlePctSupply: 4 });
    expect(launch.bundles).toMatchObject([
      {
        slot: CREATED_SLOT,
        startIndex: 40,
        size: 3,
        isBundle: true,
        hasDev: true,
        wallets: [CREATOR, ANN, BEN],
        solTotal: 1_300_000_000n,
        tokensBought: 40_000_000_000_000n,
        pctSupply: 4,
      },
      { startIndex: 44, size: 1, isBundle: false, hasDev: false, wallets: [CID], pctSupply: 1 },
      { slot: CREATED_SLOT + 1, startIndex: 45, size: 1, isBundle: false, wallets: [], tokensBought: 0n },
    ]);
    expect(launch.bundles.map(({ swaps }) => swaps.length)).toEqual([3, 1, 1]);
  });

  it('with the creator alone has no bundle, in however many transactions', () => {
    expect(analyse([DEV])).toMatchObject({ bundleCount: 0, bundledPctSupply: 0 });
    const twice = analyse([DEV, landed(0, 41, leg(CREATOR))]);
    expect(twice.bundles).toMatchObject([{ size: 2, isBundle: false, hasDev: true }]);
    expect(twice.bundleCount).toBe(0);
  });

  it('counts the legs of a transaction once', () => {
    const launch = analyse([landed(0, 41, [leg(ANN), leg(ANN)])]);
    expect(launch.bundles).toMatchObject([
      { size: 1, isBundle: false, wallets: [ANN], tokensBought: 20_000_000_000_000n },
    ]);
  });

  it('takes the protocol for a neighbour, and for no wallet of a bundle', () => {
    const agent = landed(0, 42, leg(AGENT, { isActor: true }));
    const launch = analyse([landed(0, 41, leg(ANN)), agent]);
    expect(launch.bundles).toMatchObject([{ size: 2, isBundle: false, wallets: [ANN], pctSupply: 1 }]);
    expect(launch.bundles[0]?.swaps).toHaveLength(2);
    const between = analyse([landed(0, 41, leg(ANN)), agent, landed(0, 43, leg(BEN))]);
    expect(between.bundles).toMatchObject([{ size: 3, isBundle: true, wallets: [ANN, BEN] }]);
    const dev = analyse([DEV, landed(0, 41, leg(AGENT, { isActor: true }))]);
    expect(dev.bundles).toMatchObject([{ size: 2, isBundle: false, wallets: [CREATOR] }]);
  });

  it('takes whoever sells for a neighbour, and for no buyer: a seller beside a lone buyer is no bundle', () => {
    const launch = analyse([landed(2, 41, leg(ANN)), landed(2, 42, leg(BEN, { isBuy: false }))]);
    expect(launch.bundles).toMatchObject([{ size: 2, isBundle: false, wallets: [ANN], solTotal: 300_000_000n }]);
    const sells = analyse([landed(2, 41, leg(ANN, { isBuy: false })), landed(2, 42, leg(BEN, { isBuy: false }))]);
    expect(sells.bundleCount).toBe(0);
  });

  it('takes one bot that buys twice next to itself for no bundle', () => {
    const launch = analyse([landed(0, 41, leg(ANN)), landed(0, 42, leg(ANN))]);
    expect(launch.bundles).toMatchObject([{ size: 2, isBundle: false, evidence: undefined, wallets: [ANN] }]);
    expect(launch).toMatchObject({ bundleCount: 0, bundledPctSupply: 0 });
  });

  it('takes a creator and its mates in one transaction for a bundle, with a block around it or without', () => {
    const mates = [leg(CREATOR), leg(ANN), leg(BEN), leg(CID)];
    for (const partial of [false, true]) {
      const launch = analyse([landed(0, CREATED_INDEX, mates, { partial })]);
      expect(launch.bundles).toMatchObject([
        { size: 1, isBundle: true, hasDev: true, evidence: 'one_transaction', wallets: [CREATOR, ANN, BEN, CID] },
      ]);
    }
  });

  it('does not take two transactions without a block for one, whatever place they were given', () => {
    const [first, second] = [landed(0, 41, leg(ANN), { partial: true }), landed(0, 42, leg(BEN), { partial: true })];
    const swaps = rowsOf([first, second]).swaps.map((swap) => ({ ...swap, block_index: 0 }));
    expect(analyse([], { swaps }).bundles).toMatchObject([{ isBundle: false }, { isBundle: false }]);
  });

  it('tells of so many swaps, and decides what they are by all', () => {
    const script = [DEV, landed(0, 41, leg(CREATOR)), landed(0, 42, leg(ANN)), landed(3, 1, leg(BEN))];
    const [alone, joined] = [2, 3].map((count) =>
      analyse(script, { limit: 2, swaps: rowsOf(script).swaps.slice(0, count) }),
    );
    expect(alone?.bundles).toMatchObject([{ size: 2, isBundle: false, wallets: [CREATOR] }]);
    expect(joined?.bundles).toMatchObject([{ size: 2, isBundle: true, wallets: [CREATOR], pctSupply: 2 }]);
    expect(joined).toMatchObject({ bundledPctSupply: 2, bundleCount: 1 });
    expect(analyse(script, { limit: 3 }).bundles).toHaveLength(1);
    expect(analyse(script, { limit: 4 }).bundles).toHaveLength(2);
  });

  it('says nothing of neighbours where blocks are not whole', () => {
    const launch = analyse([landed(0, 41, leg(ANN), { partial: true }), landed(0, 42, leg(BEN), { partial: true })]);
    expect(launch.bundles).toMatchObject([
      { size: 1, isBundle: false, partial: true },
      { size: 1, isBundle: false, partial: true },
    ]);
    expect(launch).toMatchObject({
      bundleCount: undefined,
      bundledPctSupply: undefined,
      devBundlePctSupply: undefined,
    });
  });

  it('has no lamports where another coin was paid', () => {
    const launch = analyse([
      landed(0, 41, leg(ANN, { quoteMint: USDC })),
      landed(0, 42, leg(BEN, { quoteMint: USDC })),
    ]);
    expect(launch.bundles).toMatchObject([{ isBundle: true, solTotal: 0n, pctSupply: 2 }]);
  });

  it('leaves out shares without a supply, and what the creator did without a creation', () => {
    const launch = analyse([DEV, landed(0, 41, leg(ANN))], { creation: undefined, supply: undefined });
    expect(launch).toMatchObject({ creator: undefined, bundledPctSupply: undefined, devBundlePctSupply: undefined });
    expect(launch.bundles).toMatchObject([{ isBundle: true, hasDev: false, pctSupply: undefined }]);
    expect(analyse([DEV], { creation: undefined }).devBundlePctSupply).toBeUndefined();
  });

  it('rounds shares to two decimals once, not bundle by bundle', () => {
    const tiny = (after: number) =>
      [ANN, BEN].map((wallet, place) => landed(after, 41 + place, leg(wallet, { tokens: 20_000_000_000n })));
    const launch = analyse([...tiny(0), ...tiny(1), ...tiny(2)]);
    expect(launch.bundles.map(({ pctSupply }) => pctSupply)).toEqual([0, 0, 0]);
    expect(launch.bundledPctSupply).toBe(0.01);
  });
});

/** The same out of the transactions themselves, pair by pair. */
function slowBundles(script: readonly LaunchTransaction[]) {
  const all = script.filter(({ legs }) => legs.length > 0);
  const at = (after: number, index: number) =>
    all.find((each) => each.after === after && each.index === index && !each.partial);
  const firsts = all.filter((each) => each.partial || at(each.after, each.index - 1) === undefined);
  return firsts
    .sort((a, b) => a.after - b.after || a.index - b.index)
    .map((first) => {
      const run = [first];
      for (let i = 1; !first.partial; i += 1) {
        const next = at(first.after, first.index + i);
        if (next === undefined) break;
        run.push(next);
      }
      const buys = run.flatMap(({ legs }) => legs.filter(({ isBuy, isActor }) => isBuy && !isActor));
      const wallets = buys.map(({ wallet }) => wallet).filter((wallet, place, list) => list.indexOf(wallet) === place);
      const tokens = buys.reduce((sum, { tokens }) => sum + tokens, 0n);
      return {
        slot: CREATED_SLOT + first.after,
        startIndex: first.index,
        size: run.length,
        isBundle: wallets.length > 1,
        evidence: slowEvidence(run, wallets.length),
        hasDev: wallets.includes(CREATOR),
        partial: first.partial,
        wallets,
        solTotal: buys.reduce((sum, { quote, quoteMint }) => sum + (quoteMint === '' ? quote : 0n), 0n),
        tokensBought: tokens,
        pctSupply: Math.round(Number(tokens) / 1e11) / 100,
        swaps: run.reduce((sum, { legs }) => sum + legs.length, 0),
      };
    });
}

function slowEvidence(run: readonly LaunchTransaction[], wallets: number): BundleEvidence | undefined {
  if (wallets < 2) return undefined;
  const buyersOf = ({ legs }: LaunchTransaction) => [
    ...new Set(legs.filter(({ isBuy, isActor }) => isBuy && !isActor).map(({ wallet }) => wallet)),
  ];
  if (run.some((each) => buyersOf(each).length > 1)) return 'one_transaction';
  const paid = run.flatMap((each) => buyersOf(each).map((wallet) => [each.payer ?? wallet, wallet] as const));
  const isShared = paid.some(([payer, wallet]) => paid.some((other) => other[0] === payer && other[1] !== wallet));
  return isShared ? 'one_payer' : 'adjacent';
}

describe('evidence', () => {
  const beside = (...more: readonly Partial<LaunchTransaction>[]) =>
    [ANN, BEN, CID].map((wallet, place) => landed(0, 41 + place, leg(wallet), more[place]));
  const told = (script: readonly LaunchTransaction[], more: Partial<LaunchRows> = {}) =>
    analyse(script, more).bundles.map(({ evidence }) => evidence);

  it('is that of strangers who stand next to each other, where nothing else speaks for one hand', () => {
    expect(told(beside())).toEqual(['adjacent']);
    expect(told(beside(), { haveOneFunder: () => false })).toEqual(['adjacent']);
  });

  it('is one wallet that paid the fees of several', () => {
    expect(told(beside({ payer: AGENT }, {}, { payer: AGENT }))).toEqual(['one_payer']);
    expect(told(beside({}, { payer: ANN }))).toEqual(['one_payer']);
    expect(told([landed(0, 41, leg(ANN), { payer: AGENT }), landed(0, 42, leg(ANN), { payer: AGENT })])).toEqual([
      undefined,
    ]);
  });

  it('is one funder, where that was looked up and nothing stronger is known', () => {
    const asked: unknown[] = [];
    const haveOneFunder = (wallets: readonly Address[]) => {
      asked.push(wallets);
      return true;
    };
    expect(told(beside(), { haveOneFunder })).toEqual(['one_funder']);
    expect(told(beside({}, { payer: ANN }), { haveOneFunder })).toEqual(['one_payer']);
    expect(told([landed(0, 41, leg(ANN))], { haveOneFunder })).toEqual([undefined]);
    expect(asked).toEqual([[ANN, BEN, CID]]);
  });
});

describe('any launch', () => {
  it('is told as by looking at each pair of transactions', () => {
    fc.assert(
      fc.property(launchScripts(24, { partial: true }), (script) => {
        const { bundles, bundleCount } = analyse(script);
        const expected = slowBundles(script);
        expect(bundles.map((bundle) => ({ ...bundle, swaps: bundle.swaps.length }))).toEqual(expected);
        const isKnown = script.every(({ partial, legs }) => !partial || legs.length === 0);
        expect(bundleCount).toBe(isKnown ? expected.filter(({ isBundle }) => isBundle).length : undefined);
        // Nothing is left out, and nothing told twice.
        expect(bundles.flatMap(({ swaps }) => swaps)).toEqual(rowsOf(script).swaps);
      }),
      { numRuns: 400 },
    );
  });
});
