import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { StoreClient } from '../clickhouse/client.ts';
import { readAnswer } from '../clickhouse/client.ts';
import { gateReads, runRead } from './gated-client.ts';
import { createReadGate } from './read-gate.ts';
import { Asker, readAs } from './reader.ts';

it('a read of whoever left just as its turn came is never sent, and its place is free at once', async () => {
  const gate = createReadGate({ clock: { elapsed: () => 0 } });
  const client = gateReads({} as StoreClient, gate);
  const asker = new Asker(() => ({ account: 'a', key: 'a' }), 5_000);
  let sent = 0;
  const read = readAs(asker, () =>
    runRead(client, 5, async () => {
      sent += 1;
    }),
  );
  expect(gate.figures.underWay).toBe(1);
  asker.leave();
  await expect(read).rejects.toMatchObject({ code: 'abandoned' });
  expect([sent, gate.figures.underWay, gate.figures.accounts]).toEqual([0, 0, 0]);
});

it('a read that was given up before it is sent asks nothing of the store', async () => {
  let asked = 0;
  const client = {
    exec: async () => {
      asked += 1;
      throw new Error('asked');
    },
  } as unknown as StoreClient;
  const signal = AbortSignal.abort(new Error('given up'));
  await expect(readAnswer(client, 'SELECT 1', {}, { signal })).rejects.toThrow('given up');
  expect(asked).toBe(0);
});

it('an answer that begins and never ends is cut off when its time is up', async () => {
  const stream = new PassThrough();
  stream.write('the beginning');
  const client = { exec: async () => ({ stream }) } as unknown as StoreClient;
  await expect(readAnswer(client, 'SELECT 1', {}, { answerMs: 1 })).rejects.toMatchObject({ code: 'timed_out' });
  expect(stream.destroyed).toBe(true);
});
