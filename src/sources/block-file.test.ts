import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator } from '../simulator/simulator.ts';
import { readBlockFile, writeBlockFile } from './block-file.ts';

describe('block files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blocks-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  function* blocks(count: number): Generator<Uint8Array> {
    const simulator = createSimulator({ seed: 'file', sign: false });
    for (let made = 0; made < count; made++) yield simulator.next().geyser();
  }

  async function readAll(path: string): Promise<Uint8Array[]> {
    const read: Uint8Array[] = [];
    for await (const block of readBlockFile(path)) read.push(block);
    return read;
  }

  const hash = (block: Uint8Array) => createHash('sha256').update(block).digest('hex');

  it('give back the bytes that were written, in order', async () => {
    const path = join(folder, 'whole.blocks');
    await writeBlockFile(path, blocks(50));
    const read = await readAll(path);
    expect(read.map(hash)).toEqual([...blocks(50)].map(hash));
  });

  it('tell when they end inside a block', async () => {
    const path = join(folder, 'cut.blocks');
    const written = [...blocks(3)];
    await writeBlockFile(path, written);
    await truncate(
      path,
      written.reduce((sum, block) => sum + block.length + 4, -1),
    );
    await expect(readAll(path)).rejects.toThrow('ends inside a block');
  });
});
