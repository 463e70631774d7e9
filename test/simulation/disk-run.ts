import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { EMBEDDED_FOLDER } from '../../src/store/clickhouse/store.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { calmPlan } from './calm-plan.ts';
import { createDiskReader, type DiskReader } from './disk-reader.ts';
import { type HostileGeyser, startHostileGeyser } from './hostile-geyser.ts';
import { startHostileRpc } from './hostile-rpc.ts';
import { compare } from './left-store.ts';
import { createSelfReport, createSettledLook } from './self-report.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { createSimulatedNode, type SimulatedNode } from './simulated-node.ts';

export interface DiskOptions {
  readonly seed: string;
  readonly rounds: number;
  /** Told of every round, once the service has caught up. */
  readonly onRound: (round: DiskRound) => void;
}

export interface DiskRound {
  /** The disk that is full: that of the engine's tables, that of the outbox and the accounts, or both. */
  readonly full: 'engine' | 'folder' | 'both';
  /** Answers while it was, by status: 0 is no answer, of a service that has ended. */
  readonly answers: Readonly<Record<number, number>>;
  /** Codes of the alarms that `/health` told meanwhile. */
  readonly told: readonly string[];
  /** Times that the service ended and was started again, as whoever supervises it does. */
  readonly ends: number;
  /** From there being room until all is stored that the chain has. */
  readonly backAfterMs: number;
}

export interface DiskOutcome {
  /** The reason why there was nothing to run; undefined when it ran. */
  readonly leftOut: string | undefined;
  readonly fault: string | undefined;
  readonly rounds: readonly DiskRound[];
  readonly swaps: number;
}

const SLOT_MS = 100;
const ENGINE_DISK = '512m';
/** More than the engine's reserve: what it has begun by then ends before the rest is taken. */
const RESERVE_BYTES = 72 * 1024 ** 2;
const LAST_WRITES_MS = 700;
const FOLDER_DISK = '64m';
const FULL_MS = [3_000, 6_000] as const;
/** Blocks before the first round: there must be something to ask for. */
const FIRST_SLOTS = 40;
const BACK_TIMEOUT_MS = 300_000;
const LOOK_EVERY_MS = 100;
const START_AGAIN_MS = 1_000;

/** Fills the disks of a service while blocks come and readers ask, time and again; then compares the store with the chain. */
export async function runFullDisks({ seed, rounds, onRound }: DiskOptions): Promise<DiskOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-disk-'));
  const dataDir = join(folder, 'data');
  const outer = mountSmallDisk(dataDir, FOLDER_DISK);
  const engine = outer === undefined ? undefined : mountSmallDisk(join(dataDir, EMBEDDED_FOLDER), ENGINE_DISK);
  const done: DiskRound[] = [];
  try {
    if (outer === undefined || engine === undefined)
      return { leftOut: 'no disk can be mounted here', fault: undefined, rounds: [], swaps: 0 };
    const scene = await openDiskScene(seed, dataDir);
    try {
      const random = createRandom(`disk/${seed}`);
      await scene.until('the first blocks never came', () => scene.node.headSlot > scene.node.firstSlot + FIRST_SLOTS);
      for (let count = 0; count < rounds; count += 1) {
        // Every kind comes once in three rounds.
        const full = (['engine', 'folder', 'both'] as const)[count % 3]!;
        const disks = { engine: [engine], folder: [outer], both: [engine, outer] }[full];
        const round = await fillOnce(scene, { full, disks, random });
        done.push(round);
        onRound(round);
        if (scene.reader.fault !== undefined) break;
      }
      await scene.settle();
      const { fault, swaps } = await compare({ ...scene, dataDir });
      return { leftOut: undefined, fault: scene.reader.fault ?? fault, rounds: done, swaps };
    } finally {
      await scene.close();
    }
  } finally {
    engine?.unmount();
    outer?.unmount();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface Filling extends Pick<DiskRound, 'full'> {
  readonly disks: readonly SmallDisk[];
  readonly random: Random;
}

async function fillOnce(scene: DiskScene, { full, disks, random }: Filling): Promise<DiskRound> {
  const { reader } = scene;
  const ends = scene.ends;
  reader.begin(await scene.untilStored());
  // As others fill a disk: what the engine leaves free is taken last, and not within a merge.
  for (const disk of disks) disk.fill(full === 'folder' ? 0 : RESERVE_BYTES);
  if (full !== 'folder') await systemClock.sleep(LAST_WRITES_MS);
  const until = systemClock.elapsed() + random.between(...FULL_MS);
  const told = new Set<string>();
  const watching = (async () => {
    while (systemClock.elapsed() < until) for (const code of await scene.alarms()) told.add(code);
  })();
  while (systemClock.elapsed() < until) {
    // Room that was freed meanwhile, such as that of merged parts, is taken as well.
    for (const disk of disks) disk.fill();
    await reader.ask(random);
  }
  await watching;
  const answers = reader.end();
  for (const disk of disks) disk.makeRoom();
  const roomAt = systemClock.elapsed();
  await scene.untilStored();
  return { full, answers, told: [...told], ends: scene.ends - ends, backAfterMs: systemClock.elapsed() - roomAt };
}

interface DiskScene {
  readonly node: SimulatedNode;
  readonly geyser: HostileGeyser;
  readonly rpc: Awaited<ReturnType<typeof startHostileRpc>>;
  readonly reader: DiskReader;
  /** Times that the service ended by itself. */
  readonly ends: number;
  alarms(): Promise<readonly string[]>;
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** Resolves when the store has all that was confirmed at the call, with that slot. */
  untilStored(): Promise<number>;
  /** Ends the chain, waits for all of it, and stops the service in order. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

async function openDiskScene(seed: string, dataDir: string): Promise<DiskScene> {
  const plan = calmPlan(seed);
  const node = createSimulatedNode(plan);
  const geyser = await startHostileGeyser(node, plan);
  const rpc = await startHostileRpc(node, plan);
  let service: ServiceProcess | undefined;
  let api: string | undefined;
  let ends = 0;
  let stopping = false;
  const ticker = setInterval(() => {
    if (geyser.subscriptions === 0) return;
    node.advance();
    geyser.wake();
  }, SLOT_MS);

  /** As whoever supervises a service does: one that ends is started again. */
  async function supervise(): Promise<void> {
    while (!stopping) {
      const running = startServiceProcess({
        MINTSCOPE_SOURCE: 'yellowstone',
        YELLOWSTONE_URL: geyser.url,
        SOLANA_RPC_URL: rpc.url,
        MINTSCOPE_DATA_DIR: dataDir,
        MINTSCOPE_DEV_KEY: 'local-development',
        MINTSCOPE_RETENTION: 'forever',
        // The disks are smaller than any bound: what a pause in time would spare is what is tried here.
        MINTSCOPE_MIN_FREE_DISK: '0',
        // Answers come out of the store, not out of memory.
        MINTSCOPE_BOOK_MEMORY: '1M',
      });
      service = running;
      void running.ready.then(
        (url) => {
          api = url;
        },
        () => {},
      );
      await running.exited;
      api = undefined;
      if (stopping) return;
      ends += 1;
      await systemClock.sleep(START_AGAIN_MS);
    }
  }
  const supervised = supervise();
  const report = createSelfReport(() => api);

  async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = systemClock.elapsed() + BACK_TIMEOUT_MS;
    while (!(await isSo())) {
      if (systemClock.elapsed() > deadline) throw new Error(`${what}\n${service?.lastLines.join('\n')}`);
      await systemClock.sleep(LOOK_EVERY_MS);
    }
  }
  async function stop(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    clearInterval(ticker);
    stopping = true;
    service?.kill(signal);
    await supervised;
    const { code, signal: by } = await service!.exited;
    return code ?? by;
  }

  return {
    node,
    geyser,
    rpc,
    reader: createDiskReader({ node, address: () => api }),
    get ends() {
      return ends;
    },
    alarms: async () => (await report.alarms()) ?? [],
    until,
    async untilStored() {
      const slot = node.confirmedSlot;
      await until(`slot ${slot} is never stored`, async () => {
        const figure = await report.ingest();
        return figure('committed_slot') >= slot && figure('holes') === 0;
      });
      return slot;
    },
    async settle() {
      clearInterval(ticker);
      node.confirmAll();
      geyser.wake();
      const isSettled = createSettledLook({ report, newest: () => node.confirmedSlot });
      await until('the service did not catch up', isSettled);
      const ended = await stop('SIGTERM');
      if (ended !== 0) throw new Error(`the service ended with ${ended} when it was asked to stop`);
    },
    async close() {
      if (!stopping) await stop('SIGKILL');
      await geyser.close();
      await rpc.close();
    },
  };
}
