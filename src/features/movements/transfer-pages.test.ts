import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { extent } from '../../../test/support/extent.ts';
import { movementAnswersAt, walkPages } from '../../../test/support/movement-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { worldBatch } from '../../../test/support/token-world.ts';
import type { WorldBlock } from '../../../test/support/token-world-rows.ts';
import { told } from '../../../test/support/told.ts';
import type { Address } from '../../chain/address.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { Absence } from '../../contract/stamp.ts';
import { decodeTransferCursor, decodeWalletTransferCursor } from '../../contract/transfer-cursor.ts';
import type { TransferRow } from '../../store/clickhouse/schema/tables.ts';
import { listTransfers, TRANSFER_WINDOWS, type TransferWindow } from './contract.ts';
import { transferRowJson, wholeTokens } from './movement-body.ts';
import { cutTransfers } from './transfer-cut.ts';

const NOW = 1_790_000_000;
const HOUR = 3_600;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

/** Worlds share a store: everybody and every slot is of one of them. */
let worlds = 0;
const somebody = (world: number, kind: number, which: number): Address =>
  encodeAddress(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? kind : i === 1 ? which : (world * 31 + i) % 251)));

const shapes = fc.array(
  fc.record({
    slotGap: fc.constantFrom(1, 1, 2),
    timeGap: fc.constantFrom(0, 0, 0, 1, 400, 5 * HOUR, 7 * HOUR, 26 * HOUR, 170 * HOUR),
    timed: fc.constantFrom(true, true, true, true, true, true, true, false),
    sends: fc.array(
      fc.record({
        mint: fc.nat(1),
        from: fc.nat(3),
        to: fc.nat(3),
        amount: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        hidden: fc.constantFrom(false, false, false, true),
      }),
      {
        maxLength: 6,
      },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

interface World {
  readonly rows: readonly TransferRow[];
  readonly mints: readonly Address[];
  readonly wallets: readonly Address[];
}

/** Rows in order: of a mint no two share a place, of two mints many do. */
async function settle(blocks: typeof shapes extends fc.Arbitrary<infer T> ? T : never): Promise<World> {
  const world = worlds++;
  const mints = [0, 1].map((which) => somebody(world, 1, which));
  const wallets = [0, 1, 2, 3].map((which) => somebody(world, 2, which));
  let slot = 1_000_000 + world * 1_000;
  let time = NOW - blocks.reduce((sum, { timeGap }) => sum + timeGap, 0);
  const made = blocks.map(({ slotGap, timeGap, timed, sends }): WorldBlock => {
    slot += slotGap;
    time += timeGap;
    const counts = [0, 0];
    const transfers = sends.map(({ mint, from, to, amount, hidden }): TransferRow => {
      const place = counts[mint]!++;
      return {
        mint: mints[mint]!,
        slot,
        block_index: 7 + Math.floor(place / 2),
        ix_index: 3 + (place % 2),
        time: timed ? time : 0,
        signature: new Uint8Array(64).fill(place + 1),
        partial: !timed,
        sender: wallets[from]!,
        receiver: wallets[to]!,
        amount,
        decimals: 6,
        ambiguous: place % 3 === 0,
        hidden,
      };
    });
    const nothing = { creations: [], completions: [], graduations: [], creatorChanges: [], swaps: [], attempts: [] };
    return { slot, time, ...nothing, transfers, positions: [] };
  });
  await test.store.writer.flush(made.map((block) => worldBatch(block)));
  return { rows: made.flatMap(({ transfers }) => transfers).filter(({ hidden }) => !hidden), mints, wallets };
}

/** The pages that plain arrays give: `rows` newest first. */
function expectedPages(rows: readonly TransferRow[], limit: number, window: TransferWindow): unknown[][] {
  const pages: TransferRow[][] = [];
  let start = NOW;
  for (let at = 0; ; ) {
    const oldest = start - TRANSFER_WINDOWS[window] * HOUR;
    const page: TransferRow[] = [];
    while (page.length < limit && at < rows.length && (rows[at]!.time === 0 || rows[at]!.time >= oldest))
      page.push(rows[at++]!);
    pages.push(page);
    if (at === rows.length) return pages.map((each) => each.map((row) => JSON.parse(transferRowJson(row))));
    start = rows[at]!.time || start;
  }
}

/** Of equal places the mint decides, by its bytes. */
function newestFirst(rows: readonly TransferRow[], mints: readonly Address[]): TransferRow[] {
  const rank = (row: TransferRow) => mints.indexOf(row.mint as Address);
  return rows.toSorted(
    (a, b) => b.slot - a.slot || b.block_index - a.block_index || b.ix_index - a.ix_index || rank(b) - rank(a),
  );
}

describe('pages of transfers', () => {
  it('hold every row once, newest first, exactly as many as asked for, whatever the window', async () => {
    const windows = fc.constantFrom<TransferWindow | undefined>(undefined, '6h', '24h', '168h');
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 1, max: 5 }), windows, async (blocks, limit, window) => {
        const { rows, mints, wallets } = await settle(blocks);
        const answers = movementAnswersAt(test.store.client, NOW);
        for (const mint of mints) {
          const own = newestFirst(rows, mints).filter((row) => row.mint === mint);
          if (own.length === 0) continue;
          const pages = await walkPages(
            (cursor) => told(answers.transfers(mint, { window, limit, cursor })),
            decodeTransferCursor,
          );
          expect(pages).toEqual(expectedPages(own, limit, window ?? '168h'));
          for (const data of pages) expect(answerFaults(listTransfers, { data })).toEqual([]);
        }
        for (const wallet of wallets) {
          for (const direction of ['in', 'out', 'all'] as const) {
            const own = newestFirst(rows, mints).filter(
              (row) =>
                (direction !== 'in' && row.sender === wallet) || (direction !== 'out' && row.receiver === wallet),
            );
            if (own.length === 0) continue;
            const page = { window, limit, direction };
            const pages = await walkPages(
              (cursor) => told(answers.walletTransfers(wallet, { ...page, cursor })),
              decodeWalletTransferCursor,
            );
            expect([direction, pages]).toEqual([direction, expectedPages(own, limit, window ?? '168h')]);
          }
        }
      }),
      { numRuns: extent(3, 6) },
    );
  });

  it('are none of mints and wallets of which nothing is known, and empty for a side on which nothing moved', async () => {
    const row = { mint: 0, from: 0, to: 1, amount: 5n, hidden: false };
    const { mints, wallets } = await settle([{ slotGap: 1, timeGap: 0, timed: true, sends: [row] }]);
    const answers = movementAnswersAt(test.store.client, NOW);
    const page = { window: undefined, limit: 5, cursor: undefined };
    expect(await answers.transfers(mints[1]!, page)).toBeInstanceOf(Absence);
    expect(await answers.walletTransfers(wallets[2]!, { ...page, direction: 'all' })).toBeInstanceOf(Absence);
    expect(String(await answers.walletTransfers(wallets[0]!, { ...page, direction: 'in' }))).toBe('{"data":[]}');
    expect(String(await answers.walletTransfers(wallets[1]!, { ...page, direction: 'in' }))).toContain('"amount":"5"');
  });
});

describe('a page that looks back so far', () => {
  it('holds what is as old as that, and nothing older', () => {
    const rows = [100, 99, 99, 0, 98].map((time) => ({ time }));
    expect(cutTransfers(rows, 9, 99)).toEqual({ shown: rows.slice(0, 4), next: rows[4] });
    expect(cutTransfers(rows, 2, 99)).toEqual({ shown: rows.slice(0, 2), next: rows[2] });
    expect(cutTransfers(rows, 9, 101)).toEqual({ shown: [], next: rows[0] });
    expect(cutTransfers(rows, 9, 1)).toEqual({ shown: rows, next: undefined });
  });
});

describe('amounts in whole tokens', () => {
  it.each([
    [1n, 0, 1],
    [1_234_567n, 6, 1.234567],
    [5n, 6, 0.000005],
    [2n ** 64n - 1n, 9, 18_446_744_073.709553],
  ])('of %i raw units with %i decimals are %d', (amount, decimals, tokens) => {
    expect(wholeTokens(amount, decimals)).toBe(tokens);
  });
});
