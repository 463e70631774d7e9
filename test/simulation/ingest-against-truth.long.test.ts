import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PositionState } from '../../src/facts/average-cost.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import type { IngestSnapshot } from '../../src/ingest/report/stats.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { writeBlockFile } from '../../src/sources/block-file.ts';
import { columnList, readRows } from '../../src/store/clickhouse/client.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import { decodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import * as tables from '../../src/store/clickhouse/schema/tables.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';
import { verifyStore } from '../../src/store/clickhouse/verify/verify.ts';
import { foldPositions } from '../support/fold-positions.ts';

const BLOCKS = 250;
const SEED = 'ingest';
/** Commits after which the process is killed, run after run; the last run goes to the end. */
const KILLS_AFTER_COMMITS = [1, 3];

const COMPARED = [
  tables.BLOCKS,
  tables.SWAPS,
  tables.ATTEMPTS,
  tables.TRANSFERS,
  tables.TOKEN_CREATIONS,
  tables.TOKEN_GRADUATIONS,
  tables.BURNS,
  tables.FUNDINGS,
  tables.UNEXPLAINED_DELTAS,
] as const;

let folder = '';
let file = '';
let store: Store;
const truth: BlockFacts[] = [];
let lastRun: IngestSnapshot;
const resumedAt: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintscope-ingest-'));
  file = join(folder, 'chain.blocks');
  await writeBlockFile(file, simulate());
  for (const commits of KILLS_AFTER_COMMITS) await runAndKill(commits);
  lastRun = await runToTheEnd();
  store = await openStore({ url: undefined, dataDir: dataDir(), log: silentLogger, clock: systemClock });
});

afterAll(async () => {
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

const dataDir = () => join(folder, 'data');

/** The chain's bytes, its truth kept aside. */
function* simulate(): Generator<Uint8Array> {
  const simulator = createSimulator({ seed: SEED, sign: false });
  for (let count = 0; count < BLOCKS; count += 1) {
    const block = simulator.next();
    truth.push(block.truth.facts('decoded'));
    yield block.geyser();
  }
}

interface Line {
  readonly committed?: number;
  readonly finished?: IngestSnapshot;
}

/** A process of its own, as only those can be killed in the middle of anything. */
function start(): { child: ChildProcess; lines: AsyncIterable<Line> } {
  const script = fileURLToPath(new URL('./ingest-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir(), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! });
  return { child, lines: parsed(lines) };
}

async function* parsed(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  for await (const line of lines) yield JSON.parse(line) as Line;
}

async function runAndKill(commits: number): Promise<void> {
  const { child, lines } = start();
  const exited = once(child, 'exit');
  let seen = 0;
  for await (const { committed, finished } of lines) {
    if (finished !== undefined) throw new Error('the chain is too short: ingest ended before it was killed');
    // The first line tells what the store had at the start.
    if (seen === 0) resumedAt.push(committed!);
    if (seen === commits) child.kill('SIGKILL');
    seen += 1;
  }
  await exited;
}

async function runToTheEnd(): Promise<IngestSnapshot> {
  const { lines, child } = start();
  const exited = once(child, 'exit');
  let result: IngestSnapshot | undefined;
  let seen = 0;
  for await (const { committed, finished } of lines) {
    if (seen === 0) resumedAt.push(committed!);
    seen += 1;
    result = finished ?? result;
  }
  expect(await exited).toEqual([0, null]);
  return result!;
}

function inOrder(rows: readonly object[]): string[] {
  const text = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  };
  return rows.map((row) => JSON.stringify(row, text)).sort();
}

describe('ingest that is killed twice and started again', () => {
  it('was really killed in the middle, and went on from the store', () => {
    expect(resumedAt).toHaveLength(KILLS_AFTER_COMMITS.length + 1);
    expect(resumedAt[0]).toBe(0);
    expect(resumedAt[1]).toBeGreaterThan(0);
    expect(resumedAt[2]).toBeGreaterThan(resumedAt[1]!);
    expect(resumedAt[2]).toBeLessThan(truth.at(-1)!.slot);
    expect(lastRun.blocks).toBeLessThan(BLOCKS);
  });

  it.each(COMPARED.map((layout) => [layout.name, layout] as const))(
    'leaves in %s what is true, once',
    async (_, layout) => {
      const expected = truth.flatMap((facts) => {
        const encoded = toRowBatch(facts, []).tables.get(layout.name);
        return encoded === undefined ? [] : decodeRows(layout, encoded.bytes);
      });
      const stored = await readRows(store.client, layout, `SELECT ${columnList(layout)} FROM ${layout.name}`);
      expect(inOrder(stored)).toEqual(inOrder(expected));
    },
  );

  it('leaves every position as one fold over all swaps gives it', async () => {
    const positions = new Map<string, PositionState>();
    for (const { swaps } of truth) foldPositions(positions, swaps);
    const stored = await readRows(
      store.client,
      tables.POSITIONS,
      `SELECT ${columnList(tables.POSITIONS)} FROM positions FINAL`,
    );
    expect(positions.size).toBeGreaterThan(50);
    expect(inOrder(stored)).toEqual(inOrder([...positions.values()].map(toPositionRow)));
    expect(lastRun.dirtyMints).toBe(0);
  });

  it('covers every slot from the first to the last', () => {
    expect(store.coverage).toEqual([{ first: truth[0]!.parentSlot + 1, last: truth.at(-1)!.slot }]);
    expect(store.committedSlot).toBe(truth.at(-1)!.slot);
  });

  it('leaves copies and rollups that equal their facts', async () => {
    const { mismatches, checked } = await verifyStore(store);
    expect(mismatches).toEqual([]);
    expect(checked.positions).toBeGreaterThan(50);
  });
});
