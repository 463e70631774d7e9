import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { buildTransaction, someAddress } from '../../test/support/transaction-builder.ts';
import type { Block } from '../chain/block.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { type OpenIngestStore, openIngestStore } from './open-ingest-store.ts';

const SLOT = 1_000;
/** Places of the single transactions that are stored. */
const PLACES = [0, 2] as const;
const signatureOf = (id: number) => new Uint8Array(64).fill(id);

let test: TestStore;
let store: OpenIngestStore;
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 1, firstSlot: SLOT, swapsPerBlock: PLACES.length });
  const facts = maker.next();
  const swaps = facts.swaps.map((swap, at) => ({ ...swap, blockIndex: PLACES[at]!, signature: signatureOf(at + 1) }));
  const part = { ...facts, swaps, whole: false, blockhash: '', created: [], transfers: [] };
  await test.store.writer.flush([maker.toBatch(part)]);
  store = await openIngestStore(
    { connection: test.store.connection, dataDir: test.dataDir },
    { clock: systemClock, log: silentLogger },
  );
});
afterAll(async () => {
  await store?.close(0);
  await test?.close();
});

/** Single transactions as a later replay gathers them: it knows no places but those of its own. */
function gathered(...ids: readonly number[]): Block {
  const spec = { signers: [someAddress()], calls: [] };
  const transactions = ids.map((id, at) => ({ ...buildTransaction(spec, at), signature: signatureOf(id) }));
  return {
    ...{ slot: SLOT, blockhash: '', parentSlot: 0, blockTime: null, transactions },
    ...{ transactionCount: transactions.length, voteCount: 0, whole: false },
  };
}

it('leaves out transactions that are stored, and gives the others places that none of these has', async () => {
  const { transactions, transactionCount } = await store.withoutStored(gathered(7, 1, 8, 2));
  expect(transactions.map(({ signature, index }) => [signature[0], index])).toEqual([
    [7, 1],
    [8, 3],
  ]);
  expect(transactionCount).toBe(2);
});

it('leaves places as they are in a slot of which nothing is stored', async () => {
  const block = { ...gathered(7, 1), slot: SLOT + 1 };
  expect(await store.withoutStored(block)).toBe(block);
});
