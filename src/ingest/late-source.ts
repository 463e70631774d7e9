import type { SourceOptions, SourceTools } from '../sources/create-source.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import { readRpcRange } from '../sources/rpc-range.ts';
import type { LateSource } from './hole-filler.ts';

export interface LateSourceOptions {
  readonly source: SourceOptions;
  readonly rpcUrl?: string | undefined;
}

/**
 * Where the blocks of holes come from: a node's RPC. Undefined for a source that
 * is no node: its chain is one of its own, and what it leaves out is not missing.
 */
export function createLateSource({ source, rpcUrl }: LateSourceOptions, tools: SourceTools): LateSource | undefined {
  if (source.kind !== 'yellowstone' && source.kind !== 'rpc') return undefined;
  const url = rpcUrl ?? (source.kind === 'rpc' ? source.url : undefined);
  if (url === undefined) return { missing: 'SOLANA_RPC_URL is not set, so there is no node to ask for them' };
  const client = createRpcClient({ url, ...tools });
  return { read: (range, signal) => readRpcRange({ client, ...tools }, range, signal) };
}
