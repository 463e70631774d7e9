import { describe, expect, it } from 'vitest';
import { UpdateQueue } from './update-queue.ts';

function queueOf(maxUpdates: number, maxBytes: number): { queue: UpdateQueue; said: string[] } {
  const said: string[] = [];
  const onFull = () => said.push('full');
  const onRoom = () => said.push('room');
  return { queue: new UpdateQueue({ maxUpdates, maxBytes, onFull, onRoom }), said };
}

describe('a queue of updates', () => {
  it('says once that it is full, by bytes or by count, and once that there is room', async () => {
    for (const [maxUpdates, maxBytes] of [
      [10, 20],
      [2, 1_000],
    ] as const) {
      const { queue, said } = queueOf(maxUpdates, maxBytes);
      queue.push(Buffer.alloc(10));
      expect(said).toEqual([]);
      queue.push(Buffer.alloc(10));
      queue.push(Buffer.alloc(10));
      expect(said).toEqual(['full']);
      await queue.take();
      expect(said).toEqual(['full']);
      await queue.take();
      expect(said).toEqual(['full', 'room']);
    }
  });

  it('gives what waits before it ends, and then its failure', async () => {
    const { queue } = queueOf(10, 1_000);
    const first = queue.take();
    queue.push(Buffer.from('a'));
    expect(String(await first)).toBe('a');
    queue.push(Buffer.from('b'));
    queue.close(new Error('broken'));
    queue.push(Buffer.from('late'));
    expect(String(await queue.take())).toBe('b');
    await expect(queue.take()).rejects.toThrow('broken');
    const { queue: quiet } = queueOf(10, 1_000);
    const end = quiet.take();
    quiet.close();
    expect(await end).toBeUndefined();
  });
});
