import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Block } from '../chain/block.ts';
import { parseRpcJson, readRpcBlock, readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import type { Journal } from '../kernel/journal.ts';
import type { OpenFile } from './block-file.ts';

/**
 * One JSON file of captured chain data: transactions without their block, as
 * `getTransaction` or a dumped Yellowstone update gives them, or one whole
 * block, as `getBlock` gives it.
 */
export type Capture =
  | { readonly kind: 'transactions'; readonly blocks: readonly Block[] }
  | { readonly kind: 'block'; readonly slot: number; readonly read: () => Block }
  | { readonly kind: 'other'; readonly reason: string };

const unzip = promisify(gunzip);

type Json = Readonly<Record<string, unknown>>;

/** @throws when the file cannot be read. Data that is something else, or damaged, is no error. */
export async function readCapture(path: string, journal: Journal, openFile: OpenFile = open): Promise<Capture> {
  const bytes = await readWhole(path, openFile);
  try {
    const text = (path.endsWith('.gz') ? await unzip(bytes) : bytes).toString('utf8');
    return interpret(parseRpcJson(text), basename(path), journal);
  } catch (error) {
    return { kind: 'other', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function readWhole(path: string, openFile: OpenFile): Promise<Buffer> {
  const file = await openFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function interpret(parsed: unknown, fileName: string, journal: Journal): Capture {
  const value = isObject(parsed) && 'result' in parsed ? parsed.result : parsed;
  if (isBlock(value)) {
    const slot = slotOfBlock(value, fileName);
    if (slot === undefined) return { kind: 'other', reason: 'a block whose file name does not tell its slot' };
    return { kind: 'block', slot, read: () => readRpcBlock(slot, value, journal) };
  }
  const items = Array.isArray(value) ? value : [value];
  if (items.length === 0 || !items.every(isTransaction)) {
    return { kind: 'other', reason: 'neither transactions nor a block' };
  }
  return { kind: 'transactions', blocks: items.map((item) => readRpcTransaction(item, journal)) };
}

function isBlock(value: unknown): value is Json {
  return isObject(value) && typeof value.blockhash === 'string' && Array.isArray(value.transactions);
}

/** The message and the meta have to be there, side by side or, in a Yellowstone update, one level down. */
function isTransaction(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { transaction, meta } = value;
  if (isObject(meta)) return isObject(transaction) || Array.isArray(transaction);
  return isObject(transaction) && isObject(transaction.meta) && isObject(transaction.transaction);
}

/** `getBlock` does not repeat the slot that was asked for; file names do. It comes after the parent's. */
function slotOfBlock(block: Json, fileName: string): number | undefined {
  if (typeof block.slot === 'number') return block.slot;
  const parentSlot = Number(block.parentSlot);
  return fileName
    .match(/\d+/g)
    ?.map(Number)
    .find((slot) => slot > parentSlot);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
