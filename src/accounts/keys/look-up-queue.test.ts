import { describe, expect, it } from 'vitest';
import { createLookUpQueue } from './look-up-queue.ts';

describe('look-ups of what nobody knows', () => {
  it('take turns by network: whoever makes up thousands keeps nobody else out, nor waiting behind them', async () => {
    const queue = createLookUpQueue<number>({ running: 2 });
    const order: string[] = [];
    const ask = (clientAddress: string, n: number) => {
      const digest = `${clientAddress} ${n}`;
      return queue.run(digest, async () => order.push(digest), { clientAddress });
    };
    const flood = Array.from({ length: 3_000 }, (_, n) => ask(`203.0.113.${n % 256}`, n));
    const addresses = ['198.51.100.7', '2001:db8:1::1', '2001:db8:2::1'];
    const outcomes = await Promise.allSettled([...flood, ...addresses.map((address) => ask(address, 1))]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3_000 - 2_002);
    expect(order.slice(0, 8)).toEqual(expect.arrayContaining(addresses.map((address) => `${address} 1`)));
  });

  it('are of one network where many addresses are one stranger’s', async () => {
    const queue = createLookUpQueue<void>({ running: 1 });
    const addresses = Array.from({ length: 3_000 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`);
    const asked = addresses.map((clientAddress) => queue.run(clientAddress, async () => {}, { clientAddress }));
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3_000 - 2_001);
  });

  it('are bounded whoever asks', async () => {
    const queue = createLookUpQueue<void>({ running: 1 });
    const addresses = Array.from({ length: 10_000 }, (_, n) => `10.${n >> 8}.${n & 255}.1`);
    const asked = addresses.map((clientAddress) => queue.run(clientAddress, async () => {}, { clientAddress }));
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10_000 - 8_001);
    await queue.run('again', async () => {});
  });
});
