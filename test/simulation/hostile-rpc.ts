import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RpcEncoding } from '../../src/simulator/encode-rpc.ts';
import { answerNetwork } from '../../src/simulator/network/network-rpc.ts';
import { type AdversityPlan, type RpcTrouble, rpcTrouble } from './adversity.ts';
import { createPassingRefusals } from './passing-refusals.ts';
import type { SimulatedNode } from './simulated-node.ts';

/** A JSON-RPC server over the node's confirmed chain, as unkind as the plan says. */
export interface HostileRpc {
  readonly url: string;
  readonly calls: number;
  /** Slots whose block was given, with every encoding it was given in. */
  readonly given: ReadonlyMap<number, ReadonlySet<RpcEncoding>>;
  close(): Promise<void>;
}

const CLEANED_UP = -32_001;
const NOT_AVAILABLE = -32_004;
const UNHEALTHY = -32_005;
const SKIPPED = -32_007;
const NO_METHOD = -32_601;
/** Slots that a node behind the same address may lag. */
const BEHIND_SLOTS = 12;
/** Milliseconds that a call without an answer holds its connection: until its caller has given it up. */
const HANG_MS = 5_000;

type Json = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** `isServed` says whether the service that asks has got blocks already: only then it is refused. */
export async function startHostileRpc(
  node: SimulatedNode,
  plan: AdversityPlan,
  isServed: () => boolean = () => false,
): Promise<HostileRpc> {
  const passing = createPassingRefusals(plan, node, 'rpc', isServed);
  const pruned = new Set(plan.rpc.pruned.map((offset) => node.firstSlot + offset));
  const given = new Map<number, Set<RpcEncoding>>();
  const emptied = new Set<number>();
  let calls = 0;

  function answer(method: string, params: readonly unknown[], confirmedSlot: number): Json {
    const [first, second] = params;
    switch (method) {
      case 'getSlot':
      case 'getBlockHeight':
        return { result: confirmedSlot };
      case 'getFirstAvailableBlock':
      case 'minimumLedgerSlot':
        return { result: node.oldestSlot };
      case 'getBlocks':
        return { result: slotsOf(Number(first), typeof second === 'number' ? second : confirmedSlot, confirmedSlot) };
      case 'getBlocksWithLimit':
        return { result: slotsOf(Number(first), confirmedSlot, confirmedSlot).slice(0, Number(second)) };
      case 'getBlock':
        return blockAnswer(Number(first), encodingOf(second), confirmedSlot);
      case 'getHealth':
        return { result: 'ok' };
      case 'getMultipleAccounts':
        return (
          answerNetwork(node.network, confirmedSlot, method, params) ?? {
            result: { context: { slot: confirmedSlot }, value: (first as readonly unknown[]).map(() => null) },
          }
        );
      case 'getAccountInfo':
        return { result: { context: { slot: confirmedSlot }, value: null } };
      case 'getSignaturesForAddress':
        return { result: [] };
      default:
        return (
          answerNetwork(node.network, confirmedSlot, method, params) ?? {
            error: { code: NO_METHOD, message: `Method ${method} not found` },
          }
        );
    }
  }

  function slotsOf(first: number, last: number, confirmedSlot: number): number[] {
    return node
      .chain(first, Math.min(last, confirmedSlot))
      .map(({ slot }) => slot)
      .filter((slot) => !pruned.has(slot));
  }

  function blockAnswer(slot: number, encoding: RpcEncoding, confirmedSlot: number): Json {
    if (slot > confirmedSlot) {
      return { error: { code: NOT_AVAILABLE, message: `Block not available for slot ${slot}` } };
    }
    if (pruned.has(slot)) return { error: { code: CLEANED_UP, message: `Block ${slot} cleaned up` } };
    const block = node.confirmedBlock(slot);
    if (block === undefined) {
      return { error: { code: SKIPPED, message: `Slot ${slot} was skipped, or missing due to ledger jump` } };
    }
    given.set(slot, (given.get(slot) ?? new Set()).add(encoding));
    return { result: block.rpc(encoding) };
  }

  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const { id, method, params = [] } = JSON.parse(text);
      calls += 1;
      const refusal = passing.next();
      if (refusal !== undefined) {
        response.writeHead(HTTP_STATUSES[refusal], { 'content-type': 'text/html' }).end('<html>not here</html>');
        return;
      }
      const trouble = rpcTrouble(plan, calls);
      const lag = trouble === 'behind' ? BEHIND_SLOTS : 0;
      const body = () => JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params, node.confirmedSlot - lag) });
      const spoiled = method === 'getBlock' ? spoil(trouble, Number(params[0]), emptied) : undefined;
      if (spoiled !== undefined) {
        response.writeHead(200, JSON_TYPE).end(JSON.stringify(spoiled(JSON.parse(body()))));
      } else if (trouble === undefined || lag > 0 || isOfBlocks(trouble))
        response.writeHead(200, JSON_TYPE).end(body());
      else refuse(trouble, id, body, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get calls() {
      return calls;
    },
    given,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface BlockAnswer {
  readonly result?: { readonly transactions?: readonly unknown[] } | null;
}

const OF_BLOCKS: ReadonlySet<RpcTrouble> = new Set(['unlinked', 'emptied', 'bare', 'repeated']);

function isOfBlocks(trouble: RpcTrouble): boolean {
  return OF_BLOCKS.has(trouble);
}

/**
 * Returns the change to make to the block of an answer, if any. A block that came empty twice would be believed: it is
 * emptied once.
 */
function spoil(
  trouble: RpcTrouble | undefined,
  slot: number,
  emptied: Set<number>,
): ((answer: BlockAnswer) => BlockAnswer) | undefined {
  const changed = (change: (transactions: readonly unknown[]) => object) => (answer: BlockAnswer) =>
    answer.result ? { ...answer, result: { ...answer.result, ...change(answer.result.transactions ?? []) } } : answer;
  switch (trouble) {
    case 'unlinked':
      return changed(() => ({ previousBlockhash: ANOTHER_HASH }));
    case 'emptied':
      if (emptied.has(slot)) return undefined;
      emptied.add(slot);
      return changed(() => ({ transactions: [] }));
    case 'bare':
      return changed(() => ({ transactions: undefined }));
    case 'repeated':
      return changed((transactions) => ({ transactions: transactions.flatMap((each) => [each, each]) }));
    default:
      return undefined;
  }
}

/** As a proxy says it that stands before the node. */
const HTTP_STATUSES = {
  UNIMPLEMENTED: 404,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  INVALID_ARGUMENT: 400,
} as const;
/** Of no block. */
const ANOTHER_HASH = '4'.repeat(43);
const JSON_TYPE = { 'content-type': 'application/json' } as const;

function refuse(trouble: RpcTrouble, id: unknown, body: () => string, response: ServerResponse): void {
  switch (trouble) {
    case 'limited':
      response.writeHead(429, { 'retry-after': '1' }).end('{"error":"too many requests"}');
      break;
    case 'broken':
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
      break;
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>');
      break;
    case 'null':
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
      break;
    case 'unhealthy':
      response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: UNHEALTHY, message: 'Node is behind' } }));
      break;
    case 'cut': {
      const text = body();
      response.writeHead(200, { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(text)) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      break;
    }
    case 'reset':
      response.destroy();
      break;
    default:
      // No answer, and in the end no connection.
      setTimeout(() => response.destroy(), HANG_MS).unref();
      break;
  }
}

function encodingOf(options: unknown): RpcEncoding {
  return (options as { readonly encoding?: RpcEncoding } | undefined)?.encoding ?? 'json';
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
