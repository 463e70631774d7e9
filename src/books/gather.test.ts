import { describe, expect, it } from 'vitest';
import type { Address } from '../chain/address.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { systemClock } from '../kernel/clock.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { gateReads, runRead } from '../store/reads/gated-client.ts';
import { createReadGate, GATE_LIMITS } from '../store/reads/read-gate.ts';
import { Asker, readAs } from '../store/reads/reader.ts';
import { gatherReads } from './gather.ts';

const mint = (byte: number) => encodeAddress(new Uint8Array(32).fill(byte));
const MARK = 7;
const LONG = 60_000;

/** Reads that end when the test says so, and what each was asked about. */
function reading(limits = { together: 4, waitMs: LONG }) {
  const asked: (readonly Address[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const read = gatherReads<string>((mints) => {
    asked.push(mints);
    return new Promise((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve(mints.map((each) => `of ${each}`)) : reject(error)));
    });
  }, limits);
  return { asked, ends, read };
}

const settled = () => new Promise(setImmediate);
const asker = (account = 'a') => new Asker(() => ({ account, key: account }), 5_000);

describe('questions that are gathered', () => {
  it('go out at once while nothing is under way, and together behind what is', async () => {
    const { asked, ends, read } = reading();
    const first = [read(mint(1), MARK), read(mint(2), MARK)];
    await settled();
    expect(asked).toEqual([[mint(1), mint(2)]]);
    const next = [read(mint(3), MARK), read(mint(4), MARK), read(mint(3), MARK)];
    await settled();
    expect(asked).toHaveLength(1);
    ends[0]!();
    expect(await Promise.all(first)).toEqual([`of ${mint(1)}`, `of ${mint(2)}`]);
    await settled();
    expect(asked[1]).toEqual([mint(3), mint(4)]);
    ends[1]!();
    expect(await Promise.all(next)).toEqual([`of ${mint(3)}`, `of ${mint(4)}`, `of ${mint(3)}`]);
  });

  it('wait no longer than they may, and not at all once they are enough', async () => {
    const soon = reading({ together: 4, waitMs: 10 });
    void soon.read(mint(1), MARK);
    await settled();
    void soon.read(mint(2), MARK);
    await expect.poll(() => soon.asked).toEqual([[mint(1)], [mint(2)]]);
    const { asked, read } = reading();
    void read(mint(9), MARK);
    await settled();
    for (const byte of [1, 2, 3, 4, 5]) void read(mint(byte), MARK);
    await settled();
    expect(asked).toEqual([[mint(9)], [mint(1), mint(2), mint(3), mint(4)]]);
  });

  it('are asked as of one slot each', async () => {
    const { asked, read } = reading();
    void read(mint(1), MARK);
    void read(mint(2), MARK + 1);
    await settled();
    expect(asked[0]).toEqual([mint(1)]);
  });

  it('are not asked for whoever has left, and end for whoever leaves alone', async () => {
    const { asked, ends, read } = reading();
    const under = read(mint(9), MARK);
    await settled();
    const gone = asker();
    const left = readAs(gone, () => read(mint(1), MARK));
    const stays = read(mint(2), MARK);
    await settled();
    gone.leave();
    await expect(left).rejects.toMatchObject({ code: 'abandoned' });
    ends[0]!();
    await under;
    await settled();
    expect(asked[1]).toEqual([mint(2)]);
    ends[1]!();
    expect(await stays).toBe(`of ${mint(2)}`);
  });

  it('are asked each alone where one of them cannot be answered', async () => {
    const read = gatherReads<string>(
      async (mints) => {
        if (mints.includes(mint(2))) throw new Error('too many rows');
        return mints.map((each) => `of ${each}`);
      },
      { together: 9, waitMs: 0 },
    );
    const answers = await Promise.allSettled([1, 2, 3].map((byte) => read(mint(byte), MARK)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('stand in the line of each account that waits: one that takes all places holds nobody else up', async () => {
    const clock = systemClock;
    const gate = createReadGate({ clock, limits: { ...GATE_LIMITS, perAccount: 1, perKey: 1 } });
    const client = gateReads({} as StoreClient, gate);
    const ends: (() => void)[] = [];
    const read = gatherReads<string>(
      (mints) => runRead(client, 5, () => new Promise((resolve) => ends.push(() => resolve(mints.map(() => 'told'))))),
      { together: 9, waitMs: LONG },
    );
    const greedy = asker('greedy');
    const slow = readAs(greedy, () => runRead(client, 5, () => new Promise<void>((resolve) => ends.push(resolve))));
    await settled();
    // The greedy one has its place taken: alone its question would wait for it.
    const [ofGreedy, ofModest] = [
      readAs(asker('greedy'), () => read(mint(1), MARK)),
      readAs(asker('modest'), () => read(mint(2), MARK)),
    ];
    await settled();
    expect(gate.figures).toMatchObject({ underWay: 2, waiting: 0 });
    ends[1]!();
    expect(await Promise.all([ofGreedy, ofModest])).toEqual(['told', 'told']);
    ends[0]!();
    await slow;
  });
});
