import { beforeAll, describe, expect, it } from 'vitest';
import { readGeyserBlock } from '../../chain/geyser/geyser-protobuf.ts';
import { compareChainPlaces } from '../../chain/place.ts';
import { deriveFacts } from '../../facts/derive.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { analyseLaunch } from '../../features/launch/launch-rules.ts';
import { runRace } from '../../features/launch/race-rules.ts';
import { isSurelyBefore } from '../../features/movements/place-rules.ts';
import { failingJournal } from '../../kernel/journal.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { ATTEMPTS, type FactTable, FUNDINGS, SWAPS, TOKEN_CREATIONS } from '../../store/clickhouse/schema/tables.ts';
import { LOADS, scaleLoad } from '../load.ts';
import { createSimulator } from '../simulator.ts';
import type { Scheme, SchemeKind } from '../truth.ts';

const BLOCKS = 570;
const SLOTS = 30;
const blocks: BlockFacts[] = [];
const schemes: Scheme[] = [];

beforeAll(() => {
  const load = scaleLoad(LOADS.desk, 1 / 20);
  const simulator = createSimulator({ seed: 'look-alikes', sign: false, load });
  for (let count = 0; count < BLOCKS; count++) {
    const block = simulator.next();
    schemes.push(...block.truth.schemes);
    blocks.push(deriveFacts(readGeyserBlock(block.geyser(), failingJournal), failingJournal));
  }
});

/** Rows of a table, as the store has them. */
function rowsOf<const T extends FactTable>(layout: T): RowOf<T>[] {
  return blocks.flatMap((facts) => {
    const rows = toRowBatch(facts, []).tables.get(layout.name);
    return rows === undefined ? [] : decodeRows<T>(layout, rows.bytes);
  });
}

/** A launch of a kind: what was meant, and what the rules make of it. */
function told(kind: SchemeKind) {
  const scheme = schemes.find((each) => each.kind === kind)!;
  const { mint } = scheme;
  const own = <R extends { readonly mint: string }>(rows: readonly R[]) => rows.filter((row) => row.mint === mint);
  const [creation] = own(rowsOf(TOKEN_CREATIONS));
  const swaps = own(rowsOf(SWAPS));
  const launch = analyseLaunch({ mint, creation, supply: 10n ** 15n, swaps });
  const race = runRace({ creation: creation!, swaps, attempts: own(rowsOf(ATTEMPTS)), slots: SLOTS, whole: true });
  return { scheme, creation: creation!, swaps, launch, race };
}

describe('launches that rules are easily wrong about', () => {
  it('have customers whom the developer pays behind their buys, in one slot: nobody’s puppets', () => {
    const { scheme, creation, swaps } = told('paid_later');
    const fundings = rowsOf(FUNDINGS).filter(({ wallet }) => scheme.wallets.includes(wallet));
    expect(fundings).toHaveLength(3);
    for (const funding of fundings) {
      const buy = swaps.find(({ trader }) => trader === funding.wallet)!;
      expect([funding.funder, funding.slot]).toEqual([creation.creator, buy.slot]);
      expect(isSurelyBefore(funding, buy)).toBe(false);
      expect(isSurelyBefore(buy, funding)).toBe(true);
    }
  });

  it('have a creator who buys with five mates in one transaction: a bundle', () => {
    const { scheme, launch } = told('crew_in_one');
    expect(launch.bundles[0]).toMatchObject({
      ...{ size: 1, isBundle: true, hasDev: true, evidence: 'one_transaction', wallets: scheme.wallets },
    });
    expect(scheme.wallets).toHaveLength(6);
  });

  it('have one bot that buys twice, and a lone buyer beside a seller: no bundles', () => {
    for (const kind of ['double_buy', 'lone_buy'] as const) {
      const { scheme, launch } = told(kind);
      const run = launch.bundles.find(({ wallets }) => wallets.includes(scheme.wallets[0]!));
      expect(run).toMatchObject({ size: 2, isBundle: false, wallets: scheme.wallets });
      expect(run!.swaps.every(({ bundled }) => bundled === 1)).toBe(true);
    }
  });

  it('have a buy that the creator paid for: the first outsider wins, and who boasts of a tip moves no median', () => {
    const { scheme, race } = told('paid_mate');
    expect(race.attempts[0]).toMatchObject({ wallet: scheme.wallets[0], outcome: 'dev_buy', isDev: true });
    expect(race.attempts[1]).toMatchObject({ outcome: 'won', slotsAfterCreation: 0 });
    expect(race.winner).toBe(race.attempts[1]);
    expect(race.attempts[2]).toMatchObject({ outcome: 'rejected', row: { tip: 10n ** 15n } });
    const [first] = race.bySlot;
    expect(first).toMatchObject({ attempts: 3, landed: 2, medianTip: 0n, medianTipDeclared: 0n });
    const boast = blocks.flatMap(({ attempts }) => attempts).find(({ tip }) => tip === 10n ** 15n)!;
    expect(boast.tipPayable).toBe(2_000_000_000n);
  });

  it('come one after the other, each in its order of places', () => {
    const kinds = schemes.map(({ kind }) => kind).filter((kind) => LOOK_ALIKES.has(kind));
    expect(new Set(kinds)).toEqual(LOOK_ALIKES);
    const swaps = blocks.flatMap((facts) => facts.swaps);
    expect(swaps).toEqual(swaps.toSorted(compareChainPlaces));
  });
});

const LOOK_ALIKES: ReadonlySet<string> = new Set(['paid_later', 'crew_in_one', 'paid_mate', 'double_buy', 'lone_buy']);
