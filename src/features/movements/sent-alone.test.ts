import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { movementAnswersAt } from '../../../test/support/movement-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { Absence } from '../../contract/stamp.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { createFeed } from '../../feed/in-process.ts';
import { silentLogger } from '../../kernel/log.ts';
import { applyRetention, readRetention } from '../../store/clickhouse/retention.ts';
import { createTokenReads } from '../../token/token-reads.ts';
import { createSnapshots } from '../tokens/answers.ts';
import { getToken } from '../tokens/contract.ts';
import { getSends, listTransfers, type SendWindow } from './contract.ts';

const START = 1_760_000_000;
const DAY = 86_400;
const [SENT, POOLED, MOVED_ON, NOBODYS] = [address(151), address(152), address(153), address(154)];
const maker = createFactsMaker({ seed: 41, firstTime: START, mints: 1 });
const born = maker.mints[0] as Address;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const blocks = [sends([born, 3]), sends([SENT, 9]), graduation()];
  await test.store.writer.flush(blocks.map((block) => maker.toBatch(block)));
});
afterAll(() => test?.close());

/** A block in which mints are sent once, with their decimals. */
function sends(...mints: readonly (readonly [Address, number])[]): BlockFacts {
  const facts = maker.next();
  const transfers = mints.map(([mint, decimals], place) => ({
    ...{ ...facts.transfers[0]!, blockIndex: 100 + place, mint, decimals, from: address(31), to: address(32) },
  }));
  return { ...facts, swaps: [], attempts: [], transfers };
}

/** A block in which one token moves to a pool that tells its decimals, and a pool of another one is made. */
function graduation(): BlockFacts {
  const facts = maker.next();
  const { slot, time } = facts;
  const place = { slot, time, blockIndex: 7, ixIndex: 1, signature: new Uint8Array(64) };
  const pool = {
    ...{ ...place, pool: address(161), mint: MOVED_ON, quoteMint: undefined, inverted: false, canonical: true },
    ...{ creator: address(33), tokenDecimals: 5, quoteDecimals: 9, tokenAmount: 1n, quoteAmount: 1n },
  };
  const amounts = { tokenAmount: 1n, quoteAmount: 1n, migrationFee: 0n, user: address(33) };
  const graduated = { ...place, ...amounts, mint: MOVED_ON, pool: address(161), quoteMint: undefined };
  const pools = [pool, { ...pool, blockIndex: 9, mint: POOLED, pool: address(162) }];
  return { ...facts, swaps: [], attempts: [], transfers: [], graduated: [graduated], pools };
}

async function snapshot(mint: Address) {
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(2 ** 32 - 1, 0);
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const reads = createTokenReads(test.store.client);
  const body = await createSnapshots({ reads, shelf, solUsd: () => undefined })(mint);
  if (body instanceof Absence) return undefined;
  const answer = JSON.parse(String(body));
  expect(answerFaults(getToken, answer)).toEqual([]);
  return answer;
}

async function transfers(mint: Address, limit = 5) {
  const page = { window: undefined, limit, cursor: undefined };
  const body = await movementAnswersAt(test.store.client, START + 60).transfers(mint, page);
  if (body instanceof Absence) return undefined;
  const answer = JSON.parse(String(body));
  expect(answerFaults(listTransfers, answer)).toEqual([]);
  return answer;
}

async function sendsOf(mint: Address, window: SendWindow, now: number) {
  const answer = JSON.parse(String(await movementAnswersAt(test.store.client, now).sends(mint, window)));
  expect(answerFaults(getSends, answer)).toEqual([]);
  return answer;
}

describe('a mint of which nothing but sends was seen', () => {
  it('is known, in its snapshot as in its transfers, and both say that they are partial', async () => {
    expect(await snapshot(SENT)).toEqual({ mint: SENT, decimals: 9, partial: true });
    expect(await transfers(SENT)).toMatchObject({ data: [{ mint: SENT }], partial: true });
    expect([await snapshot(NOBODYS), await transfers(NOBODYS)]).toEqual([undefined, undefined]);
    // A pool that somebody made is no sign of the token itself.
    expect(await snapshot(POOLED)).toBeUndefined();
  });
});

describe('a token that graduated and was not traded since', () => {
  it('has the decimals that its pool tells', async () => {
    expect(await snapshot(MOVED_ON)).toMatchObject({ status: 'graduated', amm_pool: address(161), decimals: 5 });
  });
});

describe('sends of a window that begins before the data', () => {
  it('claim nothing of the time before, and say since when all are known', async () => {
    const quiet = await sendsOf(MOVED_ON, '24h', START + 60);
    expect(quiet).toMatchObject({ sends: 0, partial: true, covered_since: '2025-10-09T08:53:20Z' });
    expect(quiet.headline).toBe(
      'Nobody is known to have sent the token to anybody in the last 24 hours, of which only a part is known.',
    );
    expect(await sendsOf(SENT, '1h', START + 60)).toMatchObject({ sends: 1, partial: true });
  });

  it('are whole of a token that was born in the data, and of a window within them', async () => {
    for (const whole of [await sendsOf(born, '7d', START + 60), await sendsOf(MOVED_ON, '24h', START + DAY)]) {
      expect(whole).not.toHaveProperty('partial');
      expect(whole).not.toHaveProperty('covered_since');
    }
    expect((await sendsOf(MOVED_ON, '24h', START + DAY)).headline).toBe(
      'Nobody sent the token to anybody in the last 24 hours.',
    );
  });
});

describe('transfers of a token whose creation was seen', () => {
  it('are whole until rows may have been let go', async () => {
    expect(await transfers(born)).not.toHaveProperty('partial');
    await applyRetention(test.store.client, readRetention('transfers=30d'), silentLogger);
    expect(await transfers(born)).toMatchObject({ partial: true });
    expect(await sendsOf(born, '7d', START + 60)).toMatchObject({ partial: true });
  });
});
