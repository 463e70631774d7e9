import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { readRpcTransaction } from '../../src/chain/rpc/rpc-json.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { hasFixtures, realTransactions } from '../../test/support/fixtures.ts';
import { geyserInfoOf, rpcJsonOf } from './encodings.ts';

/** One transaction in both forms. */
export interface DecodeInput {
  readonly name: string;
  /** A parsed `getTransaction` result: what both readers are given. */
  readonly json: object;
}

export interface DecodeInputs {
  readonly kind: 'real' | 'simulated';
  readonly transactions: readonly DecodeInput[];
  /** The same transactions as one `SubscribeUpdate`. */
  readonly geyser: Uint8Array;
  /** Those that came in base64, which the peer cannot read, and were written anew in json for both. */
  readonly rewritten: number;
}

const SIMULATED_SLOTS = 40;

export function decodeInputs(): DecodeInputs {
  const collected = hasFixtures ? realInputs() : simulatedInputs();
  const infos = collected.transactions.map(({ json }, index) =>
    geyserInfoOf(readRpcTransaction(json, failingJournal).transactions[0]!, index),
  );
  const update = SubscribeUpdate.fromPartial({
    block: {
      slot: '450000000',
      blockTime: { timestamp: '1790000000' },
      transactions: infos,
      executedTransactionCount: String(infos.length),
    },
  });
  return { ...collected, geyser: SubscribeUpdate.encode(update).finish() };
}

function realInputs(): Omit<DecodeInputs, 'geyser'> {
  let rewritten = 0;
  const transactions = realTransactions().map(({ name, json }) => {
    const { transaction } = json as { transaction?: { message?: object } };
    if (transaction?.message !== undefined && !isUpdate(json)) return { name, json: json as object };
    rewritten++;
    const block = readRpcTransaction(json, failingJournal);
    return { name, json: rpcJsonOf(block.transactions[0]!, block.slot, block.blockTime) };
  });
  return { kind: 'real', transactions, rewritten };
}

/** Two files are dumps of a Yellowstone update, which names its fields otherwise. */
function isUpdate(json: unknown): boolean {
  return !('slot' in (json as object) && 'meta' in (json as object));
}

function simulatedInputs(): Omit<DecodeInputs, 'geyser'> {
  const simulator = createSimulator({ seed: 'decode', sign: false });
  const transactions: DecodeInput[] = [];
  for (let i = 0; i < SIMULATED_SLOTS; i++) {
    const block = simulator.next();
    const { blockTime, transactions: all } = block.rpc('json') as { blockTime: number; transactions: object[] };
    all.forEach((transaction, index) => {
      const json = { slot: block.slot, blockTime, ...transaction };
      if (readRpcTransaction(json, failingJournal).transactions.length === 0) return;
      transactions.push({ name: `${block.slot}/${index}`, json });
    });
  }
  return { kind: 'simulated', transactions, rewritten: 0 };
}
