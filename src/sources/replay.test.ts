import { mkdir, mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixturePath, hasFixtures, transactionIndex } from '../../test/support/fixtures.ts';
import { blockUpdate } from '../../test/support/geyser-server.ts';
import type { Block } from '../chain/block.ts';
import { encodeBase58, encodeSignature } from '../chain/keys/base58.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { createDescriptors } from '../kernel/descriptors.ts';
import { failingJournal } from '../kernel/journal.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { writeBlockFile } from './block-file.ts';
import { createReplaySource, type ReplaySourceOptions } from './replay.ts';
import { confirmedBlocks } from './source.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function replay(
  path: string,
  fromSlot?: number,
  log: Logger = silentLogger,
  options: Partial<ReplaySourceOptions> = {},
): Promise<Block[]> {
  const source = createReplaySource({ path, log, journal: failingJournal, ...options });
  const blocks: Block[] = [];
  for await (const block of confirmedBlocks(source, { fromSlot, signal: new AbortController().signal }))
    blocks.push(block);
  return blocks;
}

/** A `getTransaction` result in encoding json, of nothing but what readers need. */
function transaction(id: number, slot: number | undefined, transactionIndex?: number): object {
  return {
    ...(slot === undefined ? {} : { slot }),
    ...(transactionIndex === undefined ? {} : { transactionIndex }),
    blockTime: 1_790_000_000,
    version: 'legacy',
    meta: { err: null, fee: 5_000, preBalances: [9, 0], postBalances: [4, 0], innerInstructions: [], logMessages: [] },
    transaction: {
      signatures: [encodeBase58(new Uint8Array(64).fill(id))],
      message: {
        accountKeys: [encodeBase58(new Uint8Array(32).fill(id)), encodeBase58(new Uint8Array(32).fill(200))],
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        instructions: [],
        recentBlockhash: encodeBase58(new Uint8Array(32).fill(7)),
      },
    },
  };
}

const write = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
const block = (slot: number) => ({ blockhash: `hash${slot}`, parentSlot: slot - 2, blockTime: null, transactions: [] });
const shape = (blocks: readonly Block[]) =>
  blocks.map(({ slot, whole, transactions }) => ({ slot, whole, indexes: transactions.map(({ index }) => index) }));

describe('replaying a folder', () => {
  it('gives single transactions by slot, each slot once, with places of their own', async () => {
    await write('a.json', transaction(1, 30));
    await write('b.json', { jsonrpc: '2.0', id: 1, result: transaction(2, 10) });
    await write('c.json', transaction(3, 30));
    await write('d.json', transaction(4, 30, 7));
    await write('e.json', [transaction(5, undefined)]);
    expect(shape(await replay(folder))).toEqual([
      { slot: 0, whole: false, indexes: [0] },
      { slot: 10, whole: false, indexes: [0] },
      { slot: 30, whole: false, indexes: [0, 1, 7] },
    ]);
  });

  it('takes one transaction captured twice once', async () => {
    await write('a.json', transaction(1, 30));
    await write('b.json', transaction(1, 30));
    expect(shape(await replay(folder))).toEqual([{ slot: 30, whole: false, indexes: [0] }]);
  });

  it('plays whole blocks and block files after them, and only those past the start', async () => {
    await write('block-50.json', block(50));
    await writeFile(join(folder, 'block-40.json.gz'), gzipSync(JSON.stringify(block(40))));
    await writeBlockFile(join(folder, 'more.blocks'), [blockUpdate(60), blockUpdate(61)]);
    await write('a.json', transaction(1, 30));
    const slots = async (fromSlot?: number) => (await replay(folder, fromSlot)).map(({ slot }) => slot);
    expect(await slots()).toEqual([30, 40, 50, 60, 61]);
    expect(await slots(50)).toEqual([30, 50, 60, 61]);
    expect(await slots(61)).toEqual([30, 61]);
  });

  it('leaves no file out for want of a descriptor: it waits until there is one', async () => {
    await write('block-50.json', block(50));
    await write('a.json', transaction(1, 30));
    await writeBlockFile(join(folder, 'more.blocks'), [blockUpdate(60), blockUpdate(61)]);
    const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };
    let tries = 0;
    const openFile = (path: string) => {
      tries += 1;
      const error = Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' });
      return tries % 7 === 0 ? open(path) : Promise.reject(error);
    };
    const descriptors = createDescriptors({ clock, log: silentLogger });
    const played = await replay(folder, undefined, silentLogger, { descriptors, openFile });
    expect(played.map(({ slot }) => slot)).toEqual([30, 50, 60, 61]);
  });

  it('leaves a transaction to its whole block when both are there', async () => {
    await write('block-50.json', block(50));
    await write('a.json', transaction(1, 50));
    expect(shape(await replay(folder))).toEqual([{ slot: 50, whole: true, indexes: [] }]);
  });

  it('puts all kinds of files into one order of slots, each slot once, whole where one has it whole', async () => {
    await write('a.json', transaction(1, 45));
    await write('b.json', transaction(2, 61));
    await write('block-50.json', block(50));
    await writeBlockFile(join(folder, 'one.blocks'), [blockUpdate(40), blockUpdate(50), blockUpdate(60)]);
    await writeBlockFile(join(folder, 'two.blocks'), [blockUpdate(60), blockUpdate(61), blockUpdate(62)]);
    const played = (await replay(folder)).map(({ slot, whole }) => `${slot}${whole ? '' : ' partial'}`);
    expect(played).toEqual(['40', '45 partial', '50', '60', '61', '62']);
  });

  it('plays what can be read of damaged files', async () => {
    const file = join(folder, 'cut.blocks');
    await writeBlockFile(file, [blockUpdate(60), blockUpdate(61)]);
    await truncate(file, (await stat(file)).size - 1);
    await writeFile(join(folder, 'noise.blocks'), 'no blocks here');
    await writeFile(join(folder, 'block-40.json.gz'), gzipSync(JSON.stringify(block(40))).subarray(0, 20));
    expect((await replay(folder)).map(({ slot }) => slot)).toEqual([60]);
  });

  it('says how many blocks it left out because the store is past them', async () => {
    await write('block-50.json', block(50));
    await writeBlockFile(join(folder, 'more.blocks'), [blockUpdate(60), blockUpdate(61)]);
    const left: unknown[] = [];
    const log: Logger = {
      ...silentLogger,
      info: ({ blocks }, message) => message.startsWith('left out') && left.push(blocks),
    };
    expect((await replay(folder, 61, log)).map(({ slot }) => slot)).toEqual([61]);
    expect(left).toEqual([2]);
  });

  it('names what is no chain data and skips it', async () => {
    await write('index.json', [{ file: 'a.json', signature: 'x', slot: 1 }]);
    await write('events.json', { label: 'x', signature: 'y', slot: 1, version: 0, accountKeys: [], meta: {} });
    await writeFile(join(folder, 'broken.json'), '{"slot":');
    await writeFile(join(folder, 'README.md'), 'hello');
    await mkdir(join(folder, 'deeper'));
    await write('a.json', transaction(1, 30));
    const skipped: unknown[] = [];
    const log: Logger = {
      ...silentLogger,
      info: ({ file }, message) => message.startsWith('skipped') && skipped.push(file),
    };
    expect(await replay(folder, undefined, log)).toHaveLength(1);
    expect(skipped).toEqual(
      ['README.md', 'broken.json', 'events.json', 'index.json'].map((name) => join(folder, name)),
    );
  });

  it('plays a single file', async () => {
    await write('a.json', transaction(1, 30));
    await write('b.json', transaction(2, 31));
    expect(shape(await replay(join(folder, 'a.json')))).toEqual([{ slot: 30, whole: false, indexes: [0] }]);
  });

  it('fails when there is nothing at the path', async () => {
    await expect(replay(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});

describe.skipIf(!hasFixtures)('replaying real captures (skipped without the fixtures folder)', () => {
  it('gives every transaction of the collection once, in slot order', async () => {
    const blocks = await replay(fixturePath('transactions')!);
    const expected = new Set([...transactionIndex('transactions').values()].map(({ signature }) => signature));
    const seen = blocks.flatMap(({ transactions }) => transactions.map(({ signature }) => encodeSignature(signature)));
    expect(new Set(seen)).toEqual(expected);
    expect(seen).toHaveLength(expected.size);
    const slots = blocks.map(({ slot }) => slot);
    expect(slots).toEqual([...new Set(slots)].sort((a, b) => a - b));
    expect(blocks.every(({ whole }) => !whole)).toBe(true);
    for (const { transactions } of blocks) {
      expect(new Set(transactions.map(({ index }) => index)).size).toBe(transactions.length);
    }
  });

  it('reads the whole block by the slot in its file name', async () => {
    const [whole] = await replay(fixturePath('blocks')!);
    expect(whole).toMatchObject({ slot: 254_170_887, whole: true, transactionCount: 602, voteCount: 158 });
  });
});
