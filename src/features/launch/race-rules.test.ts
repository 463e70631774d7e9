import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CREATED_INDEX,
  CREATED_SLOT,
  CREATOR,
  creationRow,
  type LaunchTransaction,
  landed,
  launchScripts,
  leg,
  reverted,
  rowsOf,
} from '../../../test/support/launch-script.ts';
import { slowRace } from '../../../test/support/slow-race.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { BUNDLED } from '../../store/clickhouse/schema/codes.ts';
import { isLanded, type LaunchRace, runRace } from './race-rules.ts';

const [ANN, BEN, CID, AGENT] = [31, 32, 33, 39].map((seed) => address(seed)) as [Address, Address, Address, Address];
const DEV = landed(0, CREATED_INDEX, leg(CREATOR));

function race(script: readonly LaunchTransaction[], slots = 30): LaunchRace {
  return runRace({ creation: creationRow, ...rowsOf(script), slots, whole: true });
}

const outcomes = ({ attempts }: LaunchRace) => attempts.map(({ outcome }) => outcome);
const wallets = ({ attempts }: LaunchRace) => attempts.map(({ wallet }) => wallet);

describe('rule 1: order of arrival', () => {
  it('is slot, then place in the block, whatever came of it', () => {
    const told = race([
      landed(1, 3, leg(ANN)),
      reverted(0, 60, { wallet: BEN }),
      DEV,
      reverted(0, 12, { wallet: CID }),
      reverted(1, 4, { wallet: CID }),
    ]);
    expect(told.attempts.map(({ slotsAfterCreation, row }) => [slotsAfterCreation, row.block_index])).toEqual([
      [0, 12],
      [0, 40],
      [0, 60],
      [1, 3],
      [1, 4],
    ]);
  });

  it('has one attempt for each transaction', () => {
    const told = race([landed(0, 41, [leg(ANN), leg(ANN, { quote: 5n, fee: 1n }), leg(ANN, { isBuy: false })])]);
    expect(told.attempts).toMatchObject([{ wallet: ANN, quoteAmount: 300_000_005n, fee: 3_000_001n }]);
  });

  it('leaves out what sells, what the protocol does, and what comes too late', () => {
    const told = race(
      [
        landed(1, 1, leg(ANN, { isBuy: false })),
        landed(1, 3, leg(AGENT, { isActor: true })),
        reverted(1, 5, { wallet: ANN, side: 'sell' }),
        reverted(1, 7, { wallet: BEN, side: 'unknown' }),
        landed(3, 1, leg(CID)),
        reverted(3, 2, { wallet: CID }),
      ],
      2,
    );
    expect(wallets(told)).toEqual([BEN]);
  });

  it('reaches to the last slot that is asked for', () => {
    expect(race([landed(2, 1, leg(ANN))], 3).landed).toBe(1);
    expect(race([landed(2, 1, leg(ANN))], 1).landed).toBe(0);
  });
});

describe('rule 2: the winner', () => {
  it('is the first wallet in by another hand than the creator’s, and wins once', () => {
    const told = race([
      DEV,
      landed(0, 41, leg(ANN)),
      landed(0, 43, leg(BEN)),
      landed(0, 45, leg(ANN)),
      landed(1, 1, leg(CREATOR)),
    ]);
    expect(outcomes(told)).toEqual(['dev_buy', 'won', 'landed', 'landed', 'dev_buy']);
    expect(told.winner?.wallet).toBe(ANN);
    expect(told.attempts.map(({ isDev }) => isDev)).toEqual([true, false, false, false, true]);
    expect(told.contenders).toBe(2);
  });

  it('is nobody when only the creator is in', () => {
    const told = race([DEV, reverted(0, 41, { wallet: ANN })]);
    expect(told).toMatchObject({ winner: undefined, landed: 1, contenders: 1 });
  });

  it('is nobody who bought in the creator’s own transaction, and the row names the buyer', () => {
    const told = race([landed(0, CREATED_INDEX, [leg(BEN), leg(CREATOR)]), landed(0, 45, leg(ANN))]);
    expect(outcomes(told)).toEqual(['dev_buy', 'won']);
    expect(wallets(told)).toEqual([BEN, ANN]);
  });

  it('is nobody whose buy the creator paid for, whether or not the creator buys itself', () => {
    const mate = landed(0, 41, leg(BEN), { payer: CREATOR });
    for (const script of [
      [mate, landed(1, 45, leg(ANN))],
      [DEV, mate, landed(1, 45, leg(ANN))],
    ]) {
      const told = race(script);
      expect(told).toMatchObject({ winner: { wallet: ANN, slotsAfterCreation: 1 }, contenders: 1 });
      const row = told.attempts.find(({ wallet }) => wallet === BEN);
      expect(row).toMatchObject({ outcome: 'dev_buy', isDev: true, wallet: BEN });
    }
    expect(race([mate]).winner).toBeUndefined();
  });

  it('may be a wallet whose earlier buy the creator paid for, once it pays by itself', () => {
    const told = race([landed(0, 41, leg(BEN), { payer: CREATOR }), landed(0, 45, leg(BEN))]);
    expect(outcomes(told)).toEqual(['dev_buy', 'won']);
  });

  it('has no rival in what the creator paid for and what was turned down', () => {
    const told = race([reverted(0, 41, { wallet: BEN }, { payer: CREATOR }), landed(0, 45, leg(ANN))]);
    expect(told).toMatchObject({ contenders: 1, attempts: [{ wallet: BEN, isDev: true }, { wallet: ANN }] });
  });

  it('is found however many were turned down before', () => {
    const told = race([DEV, reverted(0, 41, { wallet: ANN }), landed(2, 7, leg(ANN))]);
    expect(told.winner).toMatchObject({ wallet: ANN, slotsAfterCreation: 2 });
  });
});

describe('rule 3: self-aborts', () => {
  it('are no defeats: they bid nothing that lost', () => {
    const told = race([
      reverted(0, 41, { wallet: ANN, outcome: 'self_abort' }, { cuPrice: 9_000n }),
      reverted(0, 43, { wallet: BEN, outcome: 'failed_unknown' }, { cuPrice: 8_000n }),
      reverted(0, 45, { wallet: CID }, { cuPrice: 7_000n }),
    ]);
    expect(told).toMatchObject({ selfAborts: 1, unknownOutcome: 1, losingCuPriceMax: 7_000n });
    expect(outcomes(told)).toEqual(['self_abort', 'failed_unknown', 'rejected']);
  });
});

describe('rule 4: bundles', () => {
  const bundled = (told: LaunchRace) => told.attempts.map((each) => isLanded(each) && each.row.bundled === BUNDLED);

  it('are landed attempts beside anything that landed, on the board or not', () => {
    const told = race([
      DEV,
      landed(0, 41, leg(ANN)),
      landed(0, 50, leg(BEN)),
      landed(0, 51, leg(AGENT, { isActor: true })),
      landed(0, 60, leg(CID)),
    ]);
    expect(bundled(told)).toEqual([true, true, true, false]);
    expect(told.bundleSize).toBe(3);
  });

  it('have no reverted neighbours', () => {
    const told = race([landed(0, 41, leg(ANN)), reverted(0, 42, { wallet: BEN }), landed(0, 43, leg(CID))]);
    expect(bundled(told)).toEqual([false, false, false]);
    expect(told.bundleSize).toBe(0);
  });

  it('are counted in the slot of the creation', () => {
    const told = race([DEV, landed(1, 3, leg(ANN)), landed(1, 4, leg(BEN))]);
    expect(bundled(told)).toEqual([false, true, true]);
    expect(told.bundleSize).toBe(0);
  });

  it('are not counted while the neighbours of some are not known', () => {
    const loose = landed(0, 50, leg(BEN), { partial: true });
    expect(race([DEV, landed(0, 41, leg(ANN)), loose]).bundleSize).toBeUndefined();
    expect(race([DEV, landed(0, 41, leg(ANN)), { ...loose, after: 1 }]).bundleSize).toBe(2);
  });

  it('are not made by the creator alone', () => {
    expect(race([DEV, landed(0, 41, leg(CREATOR))]).bundleSize).toBe(0);
    expect(race([DEV, landed(0, 41, leg(AGENT, { isActor: true }))]).bundleSize).toBe(0);
    expect(race([DEV, landed(0, 41, leg(BEN), { payer: CREATOR })]).bundleSize).toBe(2);
  });
});

describe('the headline', () => {
  it.each<readonly [string, readonly LaunchTransaction[]]>([
    ['Nobody tried to buy in the creation slot and the 29 slots behind it.', []],
    ['No outside wallet got in: only the creator bought or paid. 1 attempt, 1 landed.', [DEV]],
    [
      'No outside wallet got in, though 1 wallet tried. 1 attempt, 0 landed, 1 declined by their own contract.',
      [reverted(0, 41, { wallet: ANN, outcome: 'self_abort' })],
    ],
    [
      `${ANN.slice(0, 4)}…${ANN.slice(-4)} was the first outside wallet in, 1 slot after creation, bidding 1000 micro-lamports per compute unit, without a rival. 2 attempts, 2 landed.`,
      [DEV, landed(1, 3, leg(ANN))],
    ],
    [
      `${ANN.slice(0, 4)}…${ANN.slice(-4)} was the first outside wallet in, in the creation slot, with a bid that is not known, against 1 other wallet. 2 attempts, 1 landed, 1 reverted for a reason that is not known.`,
      [landed(0, 41, leg(ANN), { budgetSource: 2 }), reverted(0, 42, { wallet: BEN, outcome: 'failed_unknown' })],
    ],
  ])('says %j', (headline, script) => {
    expect(race(script).headline).toBe(headline);
  });

  it.each<readonly [string, readonly LaunchTransaction[]]>([
    ['Nobody bought in the creation slot and the 29 slots behind it. Who tried in vain is not known.', []],
    [
      'No outside wallet got in: only the creator bought or paid. 1 attempt landed; who tried in vain is not known.',
      [DEV],
    ],
    [
      `${ANN.slice(0, 4)}…${ANN.slice(-4)} was the first outside wallet in, 1 slot after creation, bidding 1000 micro-lamports per compute unit. 2 attempts landed; who tried in vain is not known.`,
      [DEV, landed(1, 3, leg(ANN))],
    ],
  ])('says %j where reverted attempts are not known', (headline, script) => {
    const told = runRace({ creation: creationRow, ...rowsOf(script), attempts: undefined, slots: 30, whole: true });
    expect(told).toMatchObject({ headline, revertedKnown: false });
  });
});

describe('the end of a race', () => {
  it("is the slot that fills the number of slots, the creation's among them", () => {
    const script = [DEV, landed(4, 1, leg(ANN)), reverted(4, 2, { wallet: BEN }), landed(5, 1, leg(CID))];
    expect(wallets(race(script, 5))).toEqual([CREATOR, ANN, BEN]);
    expect(wallets(race(script, 1))).toEqual([CREATOR]);
    expect(race([], 1).headline).toBe('Nobody tried to buy in the creation slot.');
    expect(race([], 2).headline).toBe('Nobody tried to buy in the creation slot and the 1 slot behind it.');
  });
});

/** Figures of a race as the oracle tells them. */
function figures({ attempts, winner, headline: _, ...rest }: LaunchRace) {
  return {
    ...rest,
    winner: winner?.wallet,
    attempts: attempts.map((each) => ({
      after: each.slotsAfterCreation,
      index: each.row.block_index,
      wallet: each.wallet,
      outcome: each.outcome,
      isDev: each.isDev,
      fee: isLanded(each) ? each.fee : each.row.network_fee,
      paid: isLanded(each) ? each.quoteAmount : undefined,
      bundled: isLanded(each) && each.row.bundled === BUNDLED,
      others: isLanded(each) ? each.hasOthers : undefined,
    })),
  };
}

describe('any race', () => {
  it('is told as by an oracle that walks the transactions rule by rule', () => {
    fc.assert(
      fc.property(launchScripts(30, { partial: true }), fc.integer({ min: 1, max: 6 }), (script, slots) => {
        expect(figures(race(script, slots))).toEqual(slowRace(script, slots));
      }),
      { numRuns: 500 },
    );
  });

  it('is told of 5,000 attempts as well', () => {
    const crowd = Array.from({ length: 5_000 }, (_, place): LaunchTransaction => {
      const wallet = address(100 + (place % 120));
      const [after, index] = [place % 40, 100 + Math.floor(place / 40) * 2 - (place % 7 === 0 ? 1 : 0)];
      const more = { tip: BigInt((place * 7_919) % 1_000), cuPrice: BigInt((place * 104_729) % 50_021) };
      if (place % 5 === 0) return landed(after, index, leg(wallet), more);
      const outcome = (['rejected', 'self_abort', 'failed_unknown'] as const)[place % 3] ?? 'rejected';
      return reverted(after, index, { wallet, outcome }, more);
    });
    const told = race([DEV, ...crowd], 40);
    expect(told.attempts).toHaveLength(5_001);
    expect(told.attempts[0]?.row.slot).toBe(CREATED_SLOT);
    expect(figures(told)).toEqual(slowRace([DEV, ...crowd], 40));
  });
});
