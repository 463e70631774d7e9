import { expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { openTestStore } from '../../test/support/store.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { openIngestStore } from './open-ingest-store.ts';

it('tells the hash of a block that the store has whole, and of no other slot', async () => {
  const test = await openTestStore();
  try {
    const maker = createFactsMaker({ seed: 1, firstSlot: 1_000 });
    const [whole, next] = [maker.next(), maker.next()];
    const part = { ...next, whole: false, blockhash: '', created: [] };
    await test.store.writer.flush([maker.toBatch(whole), maker.toBatch(part)]);
    const { store, dataDir } = test;
    const opened = await openIngestStore(
      { connection: store.connection, dataDir },
      { clock: systemClock, log: silentLogger },
    );
    expect(whole.blockhash).not.toBe('');
    expect(await opened.blockhashAt(1_000)).toBe(whole.blockhash);
    expect(await opened.blockhashAt(1_001)).toBeUndefined();
    expect(await opened.blockhashAt(999)).toBeUndefined();
    await opened.close(0);
  } finally {
    await test.close();
  }
});
