import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../test/support/api-app.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { foldedPositions, worldBatch } from '../../test/support/token-world.ts';
import { addHappening, WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { buildBlock, someAddress } from '../../test/support/transaction-builder.ts';
import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import { deriveFacts } from '../facts/derive.ts';
import { createFeed } from '../feed/in-process.ts';
import { systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { createAnswers } from './index.ts';

const SENT_SLOT = 400_000_000;
const TRADED_SLOT = SENT_SLOT + 1;
const SENDER = someAddress();
const MINT = someAddress();
const [TRADED] = WORLD_MINTS as [Address];
/** Now: lists look back from the clock. */
const TIME = Math.floor(Date.now() / 1000) - 60;

/** From what blocks say to what the API answers. */
describe('the address of zeros', () => {
  let test: TestStore;
  let app: ReturnType<typeof buildTestApp>;
  let close: () => void;
  beforeAll(async () => {
    test = await openTestStore();
    await test.store.writer.flush([sent(), worldBatch(traded())]);
    const feed = createFeed({ maxHeldBatches: 1 });
    feed.commit(TRADED_SLOT, 0);
    const answers = createAnswers({ client: test.store.client, feed, clock: systemClock, log: silentLogger });
    close = () => answers.close();
    app = buildTestApp({ answers });
  });
  afterAll(async () => {
    await app.close();
    close();
    await test.close();
  });

  const rowsOf = async (path: string) => {
    const answer = await app.inject({ url: `/api${path}`, headers: { 'x-api-key': TEST_KEY } });
    expect([path, answer.statusCode]).toEqual([path, 200]);
    return answer.json<{ data: Record<string, unknown>[] }>().data;
  };

  it.each([
    `/tokens/${MINT}/transfers`,
    `/wallets/${SENDER}/token-transfers`,
    `/wallets/${ZERO_ADDRESS}/token-transfers`,
  ])('is named by %s as the owner that tokens went to', async (path) => {
    expect(await rowsOf(path)).toMatchObject(
      path.includes(MINT) ? [sending(MINT)] : [sending(ZERO_ADDRESS), sending(MINT)],
    );
  });

  it('is a mint like any other', async () => {
    expect(await rowsOf(`/tokens/${ZERO_ADDRESS}/transfers`)).toMatchObject([sending(ZERO_ADDRESS)]);
  });

  it('is named as who traded, and is no holder, for what it has is burnt', async () => {
    for (const list of ['swaps', 'traders']) {
      expect(await rowsOf(`/tokens/${TRADED}/${list}`)).toMatchObject([{ trader: ZERO_ADDRESS }]);
    }
    expect(await rowsOf(`/tokens/${TRADED}/holders`)).toEqual([]);
  });

  it('is not shown where zeros mean none', async () => {
    const [swap] = await rowsOf(`/tokens/${TRADED}/swaps`);
    for (const absent of ['fee_creator', 'quote_mint', 'router', 'tip_wallet']) expect(swap).not.toHaveProperty(absent);
    expect(Object.entries(swap!).filter(([, value]) => value === ZERO_ADDRESS || value === '')).toEqual([
      ['trader', ZERO_ADDRESS],
      ['fee_payer', ZERO_ADDRESS],
    ]);
  });
});

const sending = (mint: Address) => ({ mint, from: SENDER, to: ZERO_ADDRESS, amount: '5' });

/** Two sends in two transactions: of a token to zeros, and of zeros as a mint. */
function sent() {
  const transactions = [MINT, ZERO_ADDRESS].map((mint) => ({
    signers: [SENDER],
    calls: [{ program: someAddress() }],
    tokens: [
      { mint, owner: SENDER, pre: 10n, post: 5n },
      { mint, owner: ZERO_ADDRESS, pre: 0n, post: 5n },
    ],
  }));
  return toRowBatch(deriveFacts(buildBlock(transactions, { slot: SENT_SLOT, blockTime: TIME }), failingJournal), []);
}

/** A buy of a wallet that is zeros, in a pool without any of what may be none. */
function traded(): WorldBlock {
  const block: WorldBlock = {
    slot: TRADED_SLOT,
    time: TIME,
    ...{ creations: [], completions: [], graduations: [], creatorChanges: [], swaps: [], attempts: [] },
    ...{ transfers: [], positions: [] },
  };
  const what = { kind: 'swap', mint: 0, trader: 0, quote: 0, venue: 0, flag: true, odd: false } as const;
  addHappening(block, { ...what, amount: 1_000_000n, tokens: 5n }, 0);
  const swaps = block.swaps.map((row) => ({
    ...row,
    trader: ZERO_ADDRESS,
    fee_payer: ZERO_ADDRESS,
    fee_creator: '' as const,
  }));
  return { ...block, swaps, positions: foldedPositions({ ...block, swaps }, new Map()) };
}
