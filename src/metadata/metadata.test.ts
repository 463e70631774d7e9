import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import type { Address } from '../chain/address.ts';
import type { BlockFacts } from '../facts/fact.ts';
import { createFeed } from '../feed/in-process.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import {
  HYDRATED_TOKENS,
  type HydratedTokenRow,
  TOKEN_METADATA,
} from '../store/clickhouse/schema/background-tables.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';
import { readTokenFacts } from '../token/facts-reads.ts';
import { readListedTokens } from '../token/listed-reads.ts';
import { readTokenMetadata } from '../token/metadata-reads.ts';
import { foldToken, snapshotBody } from '../token/state.ts';
import type { DocumentAnswer, Documents } from './documents.ts';
import { DEFAULT_GATEWAYS } from './gateways.ts';
import { SIMULATED_IMAGE_PROBE } from './image-probe.ts';
import { type Metadata, openMetadata } from './metadata.ts';
import { findCreatedUris } from './uris-wanted.ts';

const LAST_SLOT = 2 ** 32 - 1;
const IMAGE = 'https://ipfs.io/ipfs/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';

let test: TestStore;
let maker: ReturnType<typeof createFactsMaker>;
const open: Metadata[] = [];
let seed = 1;

beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());
beforeEach(() => {
  seed += 1;
  maker = createFactsMaker({ seed, mints: 12, swapsPerBlock: 2, firstSlot: seed * 1_000, firstTime: 1_780_000_000 });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
  for (const table of ['token_metadata', 'token_creations', 'tokens_by_creation', 'hydrated_tokens']) {
    await test.store.client.command({ query: `TRUNCATE TABLE ${table}` });
  }
});

/** Blocks with one token each, whose URI is the mint's own unless it is given. */
function blocks(count: number, uri?: string): { facts: BlockFacts[]; mints: Address[] } {
  const facts: BlockFacts[] = [];
  for (let at = 0; at < count; at += 1) {
    const block = maker.next();
    const created = block.created.map((token) => ({ ...token, uri: uri ?? uriOf(token.mint) }));
    facts.push({ ...block, created });
  }
  return { facts, mints: facts.flatMap(({ created }) => created.map(({ mint }) => mint)) };
}

const uriOf = (mint: Address) => `https://example.org/${mint}`;
const found = (description: string): DocumentAnswer => ({
  metadata: { image: IMAGE, twitter: '', website: '', telegram: '', description },
});

/** The service over hosts that answer with the URI that they were asked for. */
function start(read: (uri: string) => DocumentAnswer = found) {
  const feed = createFeed({ maxHeldBatches: 100 });
  const asked: string[] = [];
  const learnt: Address[] = [];
  const documents: Documents = {
    async read(uri) {
      asked.push(uri);
      return read(uri);
    },
  };
  const metadata = openMetadata({
    client: test.store.client,
    feed,
    clock: systemClock,
    log: silentLogger,
    gateways: DEFAULT_GATEWAYS,
    learnt: (mints) => void learnt.push(...mints),
    outside: { documents, images: SIMULATED_IMAGE_PROBE },
  });
  open.push(metadata);
  return { feed, asked, learnt, metadata };
}

async function rowsOf(mints: readonly Address[]) {
  const rows = await readTokenMetadata(test.store.client, mints);
  return mints.map((mint) => rows.get(mint));
}

describe('the documents of tokens', () => {
  it('are read when the feed carries their creations, and are in snapshots and lists once the store has them', async () => {
    const { feed, learnt, asked } = start();
    const { facts, mints } = blocks(3);
    const batches = facts.map((each) => toRowBatch(each, []));
    for (const batch of batches) feed.publish(batch);
    await test.store.writer.flush(batches);
    await expect.poll(() => new Set(learnt)).toEqual(new Set(mints));
    expect(asked.toSorted()).toEqual(mints.map(uriOf).toSorted());
    const listed = await readListedTokens(test.store.client, mints, LAST_SLOT);
    for (const [at, mint] of mints.entries()) {
      const facts = await readTokenFacts(test.store.client, mint, LAST_SLOT);
      const snapshot = JSON.parse(snapshotBody({ mint, ...facts }, undefined).toString());
      expect(snapshot).toMatchObject({ image: IMAGE, metadata: { image: IMAGE, description: uriOf(mint) } });
      // News of the token leave its document as it is.
      const news = { creations: [], completions: [], graduations: [], creatorChanges: [], swaps: [] };
      expect(JSON.parse(snapshotBody(foldToken({ mint, ...facts }, news), undefined).toString())).toEqual(snapshot);
      expect(listed[at]!.facts).toMatchObject({ image: IMAGE });
      expect(listed[at]!.facts.metadata).toBeUndefined();
    }
  });

  it('that were not read before a stop are read after it, the newest first, and none again', async () => {
    const { facts, mints } = blocks(4);
    await test.store.writer.flush(facts.map((each) => toRowBatch(each, [])));
    const now = Math.floor(Date.now() / 1_000);
    const window = { window: 3, offset: 0, now, limit: 2 };
    const found = await findCreatedUris(test.store.client, window);
    expect(found).toEqual([mints[3], mints[2]].map((mint) => ({ mint, uri: uriOf(mint!), tries: 0 })));
    expect(await findCreatedUris(test.store.client, { ...window, offset: 3, limit: 9 })).toMatchObject([
      { mint: mints[0] },
    ]);
    const first = start();
    await expect.poll(() => new Set(first.learnt)).toEqual(new Set(mints));
    await open.pop()?.stop();
    expect(await findCreatedUris(test.store.client, { ...window, window: 100 })).toEqual([]);
  });

  it('that wait for another try are asked for when its time has come, and their tries go on', async () => {
    const { facts, mints } = blocks(2);
    await test.store.writer.flush(facts.map((each) => toRowBatch(each, [])));
    const now = Math.floor(Date.now() / 1_000);
    const waiting = { checked_at: now - 100, state: 'waiting', tries: 2, outcome: 'unusable', ...NO_FIELDS };
    await appendRows(test.store.client, TOKEN_METADATA, [
      { ...waiting, mint: mints[0]!, uri: uriOf(mints[0]!), retry_at: now - 1 },
      { ...waiting, mint: mints[1]!, uri: uriOf(mints[1]!), retry_at: now + 1_000 },
    ]);
    const { asked } = start(() => ({ fault: 'unusable' }));
    await expect.poll(async () => (await rowsOf(mints))[0]?.state).toBe('none');
    expect(asked).toEqual([uriOf(mints[0]!)]);
    expect(await rowsOf(mints)).toMatchObject([{ tries: 3, outcome: 'unusable' }, { state: 'waiting' }]);
  });

  it('of before our time are read once the chain has told of them', async () => {
    const [mint, nameless, gone] = maker.mints;
    await appendRows(test.store.client, HYDRATED_TOKENS, [
      hydrated(mint!, {}),
      hydrated(nameless!, { named: false, uri: '' }),
      hydrated(gone!, { found: false, named: false, uri: '' }),
    ]);
    const { learnt, asked, metadata } = start();
    await expect.poll(() => learnt).toEqual([mint]);
    expect(asked).toEqual([uriOf(mint!)]);
    const answer = await metadata.answers.meta(mint!);
    expect(JSON.parse(String(answer.body))).toEqual({ image: IMAGE, description: uriOf(mint!) });
  });

  it('are read for whoever asks, out of turn', async () => {
    const { metadata, asked } = start();
    const { facts, mints } = blocks(2);
    await test.store.writer.flush(facts.map((each) => toRowBatch(each, [])));
    const answer = await metadata.answers.meta(mints[0]!);
    expect(JSON.parse(String(answer.body))).toEqual({ image: IMAGE, description: uriOf(mints[0]!) });
    expect(asked).toContain(uriOf(mints[0]!));
  });

  it('that name none are known to be none', async () => {
    const { feed, asked } = start();
    const { facts, mints } = blocks(1, '');
    feed.publish(toRowBatch(facts[0]!, []));
    await expect.poll(async () => (await rowsOf(mints))[0]?.outcome).toBe('no_uri');
    expect(asked).toEqual([]);
  });

  it('stay as they are where nothing is fetched', async () => {
    const { facts, mints } = blocks(2);
    await test.store.writer.flush(facts.map((each) => toRowBatch(each, [])));
    const stored = { checked_at: 1, retry_at: 0, state: 'stored', tries: 0, outcome: '', ...NO_FIELDS };
    const row = { ...stored, mint: mints[0]!, uri: uriOf(mints[0]!), twitter: 'https://x.com/a' };
    await appendRows(test.store.client, TOKEN_METADATA, [row]);
    const metadata = openMetadata({
      client: test.store.client,
      feed: createFeed({ maxHeldBatches: 1 }),
      clock: systemClock,
      log: silentLogger,
      gateways: DEFAULT_GATEWAYS,
      learnt: () => {},
      outside: { documents: undefined, images: SIMULATED_IMAGE_PROBE },
    });
    open.push(metadata);
    const bodies = await Promise.all(mints.map(async (mint) => String((await metadata.answers.meta(mint)).body)));
    expect(bodies).toEqual(['{"twitter":"https://x.com/a"}', '{}']);
  });
});

const NO_FIELDS = { image: '', twitter: '', website: '', telegram: '', description: '' };

function hydrated(mint: Address, changes: Partial<HydratedTokenRow>): HydratedTokenRow {
  const now = Math.floor(Date.now() / 1_000);
  return {
    ...{
      mint,
      slot: 1,
      checked_at: now,
      retry_at: 0,
      found: true,
      named: true,
      name: 'N',
      symbol: 'S',
      uri: uriOf(mint),
    },
    ...{
      decimals: 6,
      supply: 1n,
      token_program: '',
      bonding_curve: '',
      complete: false,
      fee_creator: '',
      quote_mint: '',
    },
    ...{ mayhem: false, cashback: false, holder_reward: false, creator_fee_bps: 0, curve_depth: 0, pool: '' },
    ...changes,
  };
}
