import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { deriveFacts } from '../facts/derive.ts';
import type { FactRules } from '../facts/fact-rules.ts';
import { systemClock } from '../kernel/clock.ts';
import { createDescriptors } from '../kernel/descriptors.ts';
import { createLogger, type LogLevel } from '../kernel/log.ts';
import { createSource, type SourceOptions } from '../sources/create-source.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import type { StoreChain } from '../store/clickhouse/chain-record.ts';
import type { BatchSink } from './ingest-store.ts';
import { createLateSource } from './late/late-source.ts';
import type { PipelineLimits } from './live/ingest-line.ts';
import { createPipeline } from './live/pipeline.ts';
import { type FromWorker, packBatch, type ToWorker, toErrorText } from './messages.ts';
import { holdToChain } from './node-chain.ts';
import { type IngestStoreOptions, openIngestStore } from './open-ingest-store.ts';
import { watchDamagedFlushes } from './report/damaged-flushes-alarm.ts';
import { createIngestStats } from './report/stats.ts';
import { keepCandidates, openCandidates } from './report/tip-candidates-file.ts';

/** All that the ingest thread needs to know, as plain data. */
export interface WorkerOptions {
  readonly source: SourceOptions;
  readonly store: IngestStoreOptions;
  /** URL of the node that the blocks of holes are read from. */
  readonly rpcUrl?: string | undefined;
  /** Of a node that had not said which chain it is of when the store was opened; left out when that is settled. */
  readonly unsettled?: UnsettledChain | undefined;
  readonly rules?: FactRules;
  readonly logLevel: LogLevel;
  readonly limits?: Partial<PipelineLimits>;
}

export interface UnsettledChain {
  /** The chain by the setting, in case the node never says. */
  readonly setting: StoreChain;
  /** Place of the store, for the operator. */
  readonly place: string;
}

const STATS_EVERY_MS = 500;
/** Batches that may wait for the main thread's listeners. Beyond it the pipeline is held back. */
const MAX_UNTAKEN_BATCHES = 32;
/** Of the time a stop may take, what the flushes under way get. */
const CLOSE_TIMEOUT_MS = 3_000;

async function runWorker(port: MessagePort, options: WorkerOptions): Promise<void> {
  const log = createLogger(options.logLevel);
  const clock = systemClock;
  const tell = (message: FromWorker, handOver: ArrayBuffer[] = []) => port.postMessage(message, handOver);
  const stopping = new AbortController();
  const { sink, taken } = createPortSink(tell);
  port.on('message', (message: ToWorker) => {
    if (message.type === 'stop') stopping.abort();
    else taken(message.batches);
  });

  const descriptors = createDescriptors({ clock, log });
  const store = await openIngestStore(options.store, { clock, log, descriptors });
  const { committedSlot } = store;
  const folder = { dataDir: options.store.dataDir, clock, log, descriptors };
  const candidates = await openCandidates(folder);
  const stats = createIngestStats({ source: options.source.kind, committedSlot, clock, log, candidates });
  const rpcUrl = options.source.kind === 'rpc' ? options.source.url : options.rpcUrl;
  const { unsettled } = options;
  const node = rpcUrl === undefined ? undefined : createRpcClient({ url: rpcUrl, clock, log, descriptors });
  const held = { clock, log, signal: stopping.signal };
  const rpc =
    node === undefined || unsettled === undefined
      ? node
      : holdToChain(node, (chain) => store.settleChain(chain, unsettled.place), {
          ...held,
          setting: unsettled.setting,
        });
  const tools = { clock, log, journal: stats.journal, rpc, descriptors, heldHash: store.blockhashAt };
  const source = createSource(options.source, tools);
  const { limits = {} } = options;
  const lateSource = createLateSource(options.source, tools);
  const derive: typeof deriveFacts = (block, journal) => deriveFacts(block, journal, options.rules);
  const pipeline = createPipeline({ source, store, sink, stats, clock, derive, lateSource, disk: store.disk, limits });
  tell({ type: 'started', committedSlot, stats: stats.snapshot() });
  stats.watch({
    outboxBytes: () => store.pendingBytes,
    diskFreeBytes: () => store.disk.state.freeBytes,
    shortOfDescriptors: () => descriptors.short,
    storeTrouble: () => store.trouble,
    ...(rpc === undefined ? {} : { rpc: rpc.figures }),
    slots: () => source.slots?.(),
    lacks: () => source.lacks?.(),
    refusal: () => source.refusal?.(),
  });
  const timer = setInterval(() => {
    stats.review();
    tell({ type: 'stats', stats: stats.snapshot() });
  }, STATS_EVERY_MS);
  const ended = new AbortController();
  void watchDamagedFlushes({ store, stats, clock }, ended.signal);
  const keeping = keepCandidates(candidates, folder, ended.signal);
  try {
    await pipeline.run(stopping.signal);
    tell({ type: 'finished', stats: stats.snapshot() });
  } finally {
    clearInterval(timer);
    ended.abort();
    await Promise.all([keeping, store.close(CLOSE_TIMEOUT_MS)]);
  }
}

/** Hands batches to the main thread, a bounded number ahead of its listeners. */
function createPortSink(tell: (message: FromWorker, handOver?: ArrayBuffer[]) => void) {
  let untaken = 0;
  let wake: () => void = () => {};
  const sink: BatchSink = {
    async publish(batch) {
      while (untaken >= MAX_UNTAKEN_BATCHES) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      untaken += 1;
      const packed = packBatch(batch);
      tell({ type: 'batch', batch: packed }, [packed.bytes.buffer]);
    },
    commit(slot, batches) {
      tell({ type: 'commit', slot, batches });
    },
    withdraw(slot) {
      tell({ type: 'withdraw', slot });
    },
    changed(mints, slots) {
      tell({ type: 'changed', mints, slots });
    },
  };
  return {
    sink,
    taken(batches: number) {
      untaken -= batches;
      wake();
    },
  };
}

if (parentPort !== null) {
  const port = parentPort;
  runWorker(port, workerData as WorkerOptions)
    .catch((error: unknown) => port.postMessage({ type: 'failed', error: toErrorText(error) } satisfies FromWorker))
    // The port would keep the thread alive.
    .finally(() => port.close());
}
