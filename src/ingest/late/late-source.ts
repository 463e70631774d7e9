import type { SourceOptions, SourceTools } from '../../sources/create-source.ts';
import { readRpcRange } from '../../sources/rpc-range.ts';
import type { LateSource } from './hole-filler.ts';

/**
 * The reader for blocks of holes: a node's RPC, whose other callers go first. Undefined for a source that is no node:
 * its chain is one of its own, and slots that it leaves out are not missing.
 */
export function createLateSource(source: SourceOptions, { rpc, ...tools }: SourceTools): LateSource | undefined {
  if (source.kind !== 'yellowstone' && source.kind !== 'rpc') return undefined;
  if (rpc === undefined) return { missing: 'SOLANA_RPC_URL is not set, so there is no node to ask for them' };
  const client = rpc.patient();
  return { read: (range, signal) => readRpcRange({ client, ...tools }, range, signal) };
}
