import { VOTE_PROGRAM } from '../../src/chain/well-known.ts';
import type { RpcReply } from './rpc-server.ts';

export interface ChainBlock {
  readonly slot: number;
  readonly parentSlot: number;
  /** The answer to `getBlock`; a block without transactions when left out. */
  readonly result?: object;
}

/** A node as far as it knows the chain. What is in here may be changed while it runs. */
export interface ScriptedNode {
  head: number;
  /** The oldest slot it has. */
  oldest: number;
  readonly calls: { readonly method: string; readonly params: readonly unknown[] }[];
  /** May answer before the node does. */
  quirk: (method: string, params: readonly unknown[]) => RpcReply | Promise<RpcReply> | undefined;
  reply(method: string, params: readonly unknown[]): RpcReply | Promise<RpcReply>;
}

/** A block without any transaction is odd. */
export const VOTE = {
  version: 'legacy',
  meta: {},
  transaction: {
    signatures: ['1'.repeat(64)],
    message: {
      accountKeys: ['11111111111111111111111111111112', VOTE_PROGRAM],
      header: { numRequiredSignatures: 1 },
      instructions: [{ programIdIndex: 1, accounts: [], data: '' }],
    },
  },
};

/** Blocks of these slots, each behind the one before. */
export function chainOf(...slots: readonly number[]): ChainBlock[] {
  return slots.map((slot, place) => ({ slot, parentSlot: slots[place - 1] ?? slot - 1 }));
}

/** Answers as a node does that has these blocks of the chain. */
export function createScriptedNode(blocks: readonly ChainBlock[]): ScriptedNode {
  const node: ScriptedNode = {
    head: blocks.at(-1)!.slot,
    oldest: 0,
    calls: [],
    quirk: () => undefined,
    reply(method, params) {
      node.calls.push({ method, params });
      return node.quirk(method, params) ?? answer(node, blocks, method, params);
    },
  };
  return node;
}

function answer(
  node: ScriptedNode,
  blocks: readonly ChainBlock[],
  method: string,
  params: readonly unknown[],
): RpcReply {
  const { head, oldest } = node;
  switch (method) {
    case 'getSlot':
      return { result: head };
    case 'getFirstAvailableBlock':
      return { result: oldest };
    case 'getBlocks': {
      const [from, to] = params as [number, number];
      if (to - from > 500_000) return { error: { code: -32_602, message: 'Slot range too large' } };
      const has = ({ slot }: ChainBlock) => slot >= Math.max(from, oldest) && slot <= Math.min(to, head);
      return { result: blocks.filter(has).map(({ slot }) => slot) };
    }
    case 'getBlock':
      return answerBlock(node, blocks, params as [number, { transactionDetails?: string }]);
    default:
      return { error: { code: -32_601, message: 'Method not found' } };
  }
}

function answerBlock(
  { head, oldest }: ScriptedNode,
  blocks: readonly ChainBlock[],
  [slot, { transactionDetails }]: [number, { transactionDetails?: string }],
): RpcReply {
  if (slot > head) return { error: { code: -32_004, message: `Block not available for slot ${slot}` } };
  if (slot < oldest) return { error: { code: -32_001, message: `Block ${slot} cleaned up, first is ${oldest}` } };
  const block = blocks.find((each) => each.slot === slot);
  if (block === undefined) {
    return { error: { code: -32_007, message: `Slot ${slot} was skipped, or missing due to ledger jump` } };
  }
  const { parentSlot, result } = block;
  const previousBlockhash = `hash${parentSlot}`;
  const header = { blockhash: `hash${slot}`, parentSlot, previousBlockhash, blockTime: 1_790_000_000 };
  if (transactionDetails === 'none') return { result: header };
  return { result: result ?? { ...header, transactions: [VOTE] } };
}
