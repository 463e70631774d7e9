import type { Journal } from '../../kernel/journal.ts';
import type { Block, Transaction } from '../block.ts';
import { toBlockTime } from '../block-time.ts';
import { findGeyserJson, readGeyserJson } from '../geyser/geyser-json.ts';
import { knownBlockhash } from '../known-blockhash.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { isVote, readRpcMessage } from './rpc-message.ts';
import {
  asCount,
  asList,
  asObject,
  type RpcBlockJson,
  type RpcMetaJson,
  type RpcTransactionJson,
} from './rpc-shapes.ts';
import { RpcTransaction } from './rpc-transaction.ts';

export { parseRpcJson } from './rpc-numbers.ts';

const SUBJECT = 'rpc-json';

/**
 * Reads the result of `getBlock` with full transactions, in the encodings
 * json, jsonParsed, base64 or base58. A malformed transaction is noted and left
 * out, and so is one that is there already: the ones behind it move up. A block
 * that is malformed itself, or has no list of transactions, throws MalformedWire.
 */
export function readRpcBlock(slot: number, json: unknown, journal: Journal): Block {
  const block = asObject<RpcBlockJson>(json, 'a block');
  if (typeof block.blockhash !== 'string') throw new MalformedWire('a block without its hash');
  const entries = asList(block.transactions, 'transactions');
  const transactions: Transaction[] = [];
  const seen = new Set<string>();
  let repeated = 0;
  let voteCount = 0;
  for (let place = 0; place < entries.length; place++) {
    const transaction = noteMalformed(journal, place, () => readTransaction(entries[place], place - repeated, seen));
    if (transaction === 'vote') voteCount++;
    else if (transaction === 'repeated') repeated++;
    else if (transaction !== undefined) transactions.push(transaction);
  }
  if (repeated > 0) journal.note({ code: 'repeated_transaction', subject: SUBJECT, detail: { slot, repeated } });
  return {
    slot,
    blockhash: block.blockhash,
    parentSlot: asCount(block.parentSlot, 'parent slot'),
    parentBlockhash: hashOf(block.previousBlockhash),
    blockTime: toBlockTime(block.blockTime, slot, SUBJECT, journal),
    transactions,
    transactionCount: entries.length - repeated,
    voteCount,
    whole: true,
  };
}

/**
 * Reads one transaction as a block that is not whole: the result of
 * `getTransaction`, the JSON-RPC envelope around it, or a Yellowstone update
 * dumped as JSON. A vote leaves the block without transactions, and so does a
 * malformed transaction, which is noted. Throws MalformedWire for JSON that is no
 * transaction at all.
 */
export function readRpcTransaction(json: unknown, journal: Journal): Block {
  const result = unwrap(json);
  const dump = findGeyserJson(result);
  const transaction = noteMalformed(journal, 0, () => {
    return dump === undefined ? readTransaction(result, indexOf(result), new Set()) : readGeyserJson(dump);
  });
  const slot = dump?.slot ?? (result.slot === undefined ? 0 : asCount(result.slot, 'slot'));
  return {
    slot,
    blockhash: '',
    parentSlot: 0,
    blockTime: dump === undefined ? toBlockTime(result.blockTime, slot, SUBJECT, journal) : null,
    transactions: typeof transaction === 'object' ? [transaction] : [],
    transactionCount: 1,
    voteCount: transaction === 'vote' ? 1 : 0,
    whole: false,
  };
}

function unwrap(json: unknown): RpcTransactionJson {
  const object = asObject<RpcTransactionJson & { result?: unknown }>(json, 'a transaction');
  const result = object.result === undefined ? object : asObject<RpcTransactionJson>(object.result, 'a result');
  if (result.transaction === undefined) throw new MalformedWire('JSON without a transaction');
  return result;
}

function indexOf(json: RpcTransactionJson): number {
  return json.transactionIndex === undefined ? 0 : asCount(json.transactionIndex, 'transaction index');
}

/** `seen` has the signatures of those before it in the block. */
function readTransaction(json: unknown, index: number, seen: Set<string>): Transaction | 'vote' | 'repeated' {
  const { transaction, version, meta } = asObject<RpcTransactionJson>(json, 'a transaction');
  const metaJson = asObject<RpcMetaJson>(meta, 'a meta');
  const message = readRpcMessage(transaction, version, metaJson);
  const key = message.signatureKey();
  if (seen.has(key)) return 'repeated';
  const read = isVote(message) ? 'vote' : new RpcTransaction(index, message, metaJson, 'base58');
  seen.add(key);
  return read;
}

/** One bad transaction must not cost a block. */
function noteMalformed<T>(journal: Journal, place: number, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    journal.note({ code: 'malformed_transaction', subject: SUBJECT, detail: { place, message: error.message } });
    return undefined;
  }
}

function hashOf(json: unknown): string | undefined {
  return typeof json === 'string' ? knownBlockhash(json) : undefined;
}
