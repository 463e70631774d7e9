import type { Clock } from '../kernel/clock.ts';
import type { Descriptors } from '../kernel/descriptors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import type { LoadName } from '../simulator/load.ts';
import type { HeldHash } from './chain-links.ts';
import type { RpcClient } from './json-rpc.ts';
import { createReplaySource } from './replay.ts';
import { createRpcSource } from './rpc.ts';
import { createSimulatorSource } from './simulator.ts';
import type { BlockSource, BlockTap, Commitment } from './source.ts';
import { createYellowstoneSource } from './yellowstone.ts';

/** Options of a source, as plain data: it is chosen in the main thread and made in the ingest one. */
export type SourceOptions =
  | {
      readonly kind: 'simulator';
      readonly seed: number;
      readonly load: LoadName;
      /** `confirmed` when left out. */
      readonly commitment?: Commitment;
    }
  | { readonly kind: 'replay'; readonly path: string }
  | { readonly kind: 'rpc'; readonly url: string; readonly maxLagSlots?: number | undefined }
  | {
      readonly kind: 'yellowstone';
      readonly url: string;
      readonly token: string | undefined;
      /** `confirmed` when left out. */
      readonly commitment?: Commitment;
      /** PEM file of the authority behind the server's certificate. */
      readonly caFile?: string | undefined;
    };

export interface SourceTools {
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  /** Waits for a free descriptor when a file cannot be opened for want of one; without it that is an error. */
  readonly descriptors?: Descriptors | undefined;
  /** Of the node that is asked over RPC, by others too. The source rpc makes one of its own without it. */
  readonly rpc?: RpcClient | undefined;
  /** Of blocks that the store has: what a node gives behind them has to name them. */
  readonly heldHash?: HeldHash | undefined;
  /** Only simulator and yellowstone have such bytes. */
  readonly tap?: BlockTap;
}

export function createSource(options: SourceOptions, tools: SourceTools): BlockSource {
  switch (options.kind) {
    case 'simulator':
      return createSimulatorSource({ ...options, ...tools });
    case 'replay':
      return createReplaySource({ ...options, ...tools });
    case 'rpc':
      return createRpcSource({ ...options, ...tools });
    case 'yellowstone':
      return createYellowstoneSource({ ...options, ...tools });
  }
}
