import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { type CutAnswers, startCutAnswers } from '../../test/support/cut-answers.ts';
import { eventually } from '../../test/support/eventually.ts';
import { foldPositions } from '../../test/support/fold-positions.ts';
import { createHastyClock } from '../../test/support/hasty-clock.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { deriveTrades, tradeBlock } from '../../test/support/trade-chain.ts';
import type { PositionState } from '../facts/average-cost.ts';
import { silentLogger } from '../kernel/log.ts';
import { readJson } from '../store/clickhouse/client.ts';
import { encodePositions } from '../store/clickhouse/schema/position-rows.ts';
import { type OpenIngestStore, openIngestStore } from './open-ingest-store.ts';

const PASSING = [
  { code: 60, message: 'Table coverage does not exist. (UNKNOWN_TABLE)' },
  { code: 210, message: 'Connection reset by peer. (NETWORK_ERROR)' },
  { code: 236, message: 'The server is shutting down due to a fatal error. (ABORTED)' },
  { code: 279, message: 'All connection tries failed. (ALL_CONNECTION_TRIES_FAILED)' },
  { code: 497, message: 'Not enough privileges. (ACCESS_DENIED)' },
  { code: 999, message: 'Coordination error: session expired. (KEEPER_EXCEPTION)' },
] as const;
const LOGIN = { code: 516, message: 'Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)' };
/** More tries than a flush that is refused for good gets. */
const TRIES = 40;

const refusalOf = ({ code, message }: { readonly code: number; readonly message: string }) => ({
  code,
  message: `Code: ${code}. DB::Exception: ${message} (version 26.7.2.1)`,
});

let test: TestStore;
let way: CutAnswers;
let dataDir: string;
let store: OpenIngestStore;
let slot = 1_000;
beforeAll(async () => {
  test = await openTestStore();
  way = await startCutAnswers(test.store.connection);
  dataDir = await mkdtemp(join(tmpdir(), 'mintscope-errors-'));
  store = await openIngestStore(
    { connection: way.connection, dataDir },
    { clock: createHastyClock(), log: silentLogger },
  );
});
afterAll(async () => {
  await store.close(1_000);
  await way.close();
  await test.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(() => {
  way.cut = 'none';
  way.refusal = undefined;
});

/** Lets something be tried in vain so many times. */
async function triedInVain(): Promise<void> {
  const before = way.cuts;
  await eventually(() => expect(way.cuts).toBeGreaterThanOrEqual(before + TRIES));
}

async function blocksOf(first: number): Promise<number> {
  const [row] = await readJson<{ n: string }>(
    test.store.client,
    `SELECT count() AS n FROM blocks WHERE slot = ${first}`,
  );
  return Number(row?.n);
}

function positions(): PositionState[] {
  const folded = new Map<string, PositionState>();
  foldPositions(
    folded,
    deriveTrades(tradeBlock(7, 6, [{ mint: 1, trader: 2, isBuy: true, quote: 5n, tokens: 9n }])).swaps,
  );
  return [...folded.values()];
}

describe('an error of the store that is not about the question', () => {
  it.each([...PASSING, LOGIN])('is waited out by a flush, whose rows are there once: $code', async (refusal) => {
    slot += 10;
    const batch = createFactsMaker({ seed: slot, firstSlot: slot }).nextBatch();
    way.refusal = refusalOf(refusal);
    const flushed = store.flush([batch]);
    await triedInVain();
    const told = () => (refusal === LOGIN ? store.trouble.loginRefused : store.trouble.failing) ?? 'nothing';
    await eventually(() => expect(told()).toContain(refusal === LOGIN ? 'password' : refusal.message));
    way.refusal = undefined;
    await flushed;
    expect(await blocksOf(slot)).toBe(1);
    expect(store.trouble).toEqual({ longestMs: 0, failing: undefined, loginRefused: undefined });
  });

  it.each([...PASSING, LOGIN])('is waited out by a read: $code', async (refusal) => {
    const states = positions();
    await store.amend(new Map([['positions', encodePositions(states)]]));
    way.refusal = refusalOf(refusal);
    const read = store.readPositions(states);
    await triedInVain();
    way.refusal = undefined;
    expect(await read).toEqual(states);
  });
});

describe('an answer of the store without its rows', () => {
  it.each(['all', 'half', 'uncounted'] as const)(
    'is no position to fold from, but asked for again: %s',
    async (cut) => {
      const states = positions();
      await store.amend(new Map([['positions', encodePositions(states)]]));
      way.cut = cut;
      const read = store.readPositions(states);
      await triedInVain();
      way.cut = 'none';
      expect(await read).toEqual(states);
    },
  );

  it('is no empty store to start from', async () => {
    way.cut = 'all';
    const folder = join(dataDir, 'second');
    const open = () =>
      openIngestStore(
        { connection: way.connection, dataDir: folder },
        { clock: createHastyClock(), log: silentLogger },
      );
    await expect(open()).rejects.toMatchObject({ code: 'incomplete' });
    way.cut = 'none';
    const second = await open();
    expect(second.coverage).toEqual(store.coverage);
    await second.close(1_000);
  });

  it('is no reason to fold mints again from nothing', async () => {
    const states = positions();
    way.cut = 'all';
    const stream = store.positionsOf(states.map(({ mint }) => mint));
    await expect(collect(stream)).rejects.toMatchObject({ code: 'incomplete' });
  });
});

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}
