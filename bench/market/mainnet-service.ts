import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../api/processes.ts';
import { provideBlocks, SHORT_SLOTS } from '../ingest/chain-file.ts';
import { type PlayedChain, playChain } from './played-chain.ts';

/** A service, and a chain of mainnet's load that it follows. */
export interface MainnetService {
  readonly service: Service;
  readonly chain: PlayedChain;
  readonly dataDir: string;
  /** The service's own figures, by name and labels as `/metrics` has them. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Ends the service, so that its store can be looked at, and the chain. */
  stop(): Promise<void>;
  remove(): void;
}

export interface MainnetOptions {
  /** Slots of the chain. */
  readonly slots: number;
  /** Slots that come at once. */
  readonly atOnce: number;
  /** Settings of the service. */
  readonly settings?: Readonly<Record<string, string>>;
}

const NAME = 'mintscope-bench-mainnet-';
/** The service lets nobody read its figures more than five times a second. */
const AGAIN_MS = 500;
const MAX_WAIT_MS = 300_000;

/**
 * The chain is written ahead, since making mainnet's blocks takes more than a core: short ones lie where other benches
 * have theirs, long ones have gigabytes and lie in the folder for temporary files. Nobody outside is asked: documents of
 * tokens and the price of SOL stay unknown.
 */
export async function startOnMainnet({ slots, atOnce, settings = {} }: MainnetOptions): Promise<MainnetService> {
  const path = slots <= SHORT_SLOTS ? await provideBlocks(SHORT_SLOTS) : await provideBlocks(slots, longChains());
  const chain = await playChain({ path, blocks: slots, atOnce });
  const dataDir = mkdtempSync(join(tmpdir(), NAME));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const service = await startService(dataDir, {
      ...chain.settings,
      MINTSCOPE_METADATA: 'false',
      MINTSCOPE_SOL_PRICE: 'off',
      // Visitors come from many addresses, and those of the bench from one.
      MINTSCOPE_CONNECTIONS_PER_ADDRESS: '0',
      // The chain's time is not the wall clock's, which the service calls a lag, once.
      MINTSCOPE_LOG_LEVEL: 'error',
      ...settings,
    });
    const metrics = () => readMetrics(service);
    await untilCaughtUp(chain, metrics, atOnce);
    return {
      ...{ service, chain, dataDir, metrics, remove },
      async stop() {
        await service.stop();
        await chain.stop();
      },
    };
  } catch (error) {
    await chain.stop();
    remove();
    throw error;
  }
}

const longChains = () => join(tmpdir(), 'mintscope-bench-chains');

/** Waits until the service has derived what came at once. */
async function untilCaughtUp(chain: PlayedChain, metrics: MainnetService['metrics'], blocks: number): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    chain.assertWhole();
    if (((await metrics()).get(BLOCKS_TOTAL) ?? 0) >= blocks) return;
    if (performance.now() > until) throw new Error(`${blocks} blocks did not come in ${MAX_WAIT_MS} ms`);
    await sleep(AGAIN_MS);
  }
}

export const BLOCKS_TOTAL = 'mintscope_ingest_blocks_total';
export const SWAPS_TOTAL = 'mintscope_ingest_facts_total{kind="swaps"}';

/** They lie beside the API's prefix. */
async function readMetrics({ address }: Service): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(new URL('/metrics', address));
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}
