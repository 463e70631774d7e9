import { describe, expect, it } from 'vitest';
import { createBoundedQueue } from './bounded-queue.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a bounded queue', () => {
  it('gives items back in the order they came', async () => {
    const queue = createBoundedQueue<number>(4);
    for (const item of [1, 2, 3]) await queue.push(item);
    expect(queue.drain(2)).toEqual([1, 2]);
    expect(queue.drain(2)).toEqual([3]);
  });

  it('makes the producer wait while it is full', async () => {
    const queue = createBoundedQueue<number>(1);
    await queue.push(1);
    let pushed = false;
    const second = queue.push(2).then((taken) => {
      pushed = taken;
    });
    await settled();
    expect(pushed).toBe(false);
    expect(queue.drain(10)).toEqual([1]);
    await second;
    expect(pushed).toBe(true);
    expect(queue.size).toBe(1);
  });

  it('wakes a waiting consumer, and tells it when nothing more will come', async () => {
    const queue = createBoundedQueue<number>(1);
    const ready = queue.ready();
    await queue.push(1);
    expect(await ready).toBe(true);
    queue.close();
    expect(await queue.ready()).toBe(true);
    expect(queue.drain(1)).toEqual([1]);
    expect(await queue.ready()).toBe(false);
  });

  it('refuses items after it was closed, also from a producer that was waiting', async () => {
    const queue = createBoundedQueue<number>(1);
    await queue.push(1);
    const waiting = queue.push(2);
    queue.close();
    expect(await waiting).toBe(false);
    expect(await queue.push(3)).toBe(false);
    expect(queue.drain(10)).toEqual([1]);
  });

  it('refuses a capacity that would block for ever', () => {
    expect(() => createBoundedQueue(0)).toThrow(RangeError);
  });
});
