import { existsSync, type FSWatcher, watch } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { missingRanges } from '../../src/store/clickhouse/coverage.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { verifyStore } from '../../src/store/clickhouse/verify.ts';
import { hangUp, isShut, isSilence, tryDoors } from '../support/loopback-stranger.ts';
import { calmPlan } from './calm-plan.ts';
import { candleDifference } from './candle-truth.ts';
import { type HostileGeyser, startHostileGeyser } from './hostile-geyser.ts';
import { type HostileRpc, startHostileRpc } from './hostile-rpc.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { createSimulatedNode, type SimulatedNode } from './simulated-node.ts';
import { positionDifference, storeDifference, viewsOf } from './store-truth.ts';

export interface CrashOptions {
  readonly seed: string;
  readonly kills: number;
  /** Told of every kill, once the service is back. */
  readonly onKill: (kill: Kill) => void;
}

export interface Kill {
  readonly victim: 'service' | 'engine';
  /** `hang-ups`: a stranger at the engine's port, who may end it or not. */
  readonly by: 'kill' | 'hang-ups';
  readonly moment: 'anywhere' | 'flush' | 'start';
  /** From the kill until the service answered again, or took rows again. */
  readonly backAfterMs: number;
}

export interface CrashOutcome {
  readonly fault: string | undefined;
  readonly kills: readonly Kill[];
  readonly blocks: number;
  readonly blocksByRpc: number;
  readonly swaps: number;
  readonly positions: number;
  readonly ms: number;
}

/** A desk's chain at twice its pace. */
const SLOT_MS = 100;
/** From the first flush after a start to a kill. */
const MAX_ANYWHERE_MS = 1_200;
/** From a flush's file in the outbox to a kill: its inserts take about as long. */
const MAX_FLUSH_MS = 60;
/** From a start to a kill in the middle of it. */
const MAX_START_MS = 1_200;
/** Connections that a stranger cuts: some of them may end the engine. */
const HANG_UPS = 300;
const BACK_TIMEOUT_MS = 60_000;
/** Older than this its figures never are. */
const FIGURES_AGE_MS = 1_500;
const SETTLE_TIMEOUT_MS = 120_000;
/** Slower than figures may be asked for: a refusal would look like a service that is behind. */
const POLL_MS = 250;

/** Kills the service and its ClickHouse, time and again, while a chain goes on; then compares the store with the chain. */
export async function runCrashes({ seed, kills, onKill }: CrashOptions): Promise<CrashOutcome> {
  const startedAt = systemClock.elapsed();
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-crash-'));
  const scene = await openScene(seed, folder);
  const done: Kill[] = [];
  try {
    const random = createRandom(`crash/${seed}`);
    scene.start();
    await scene.back();
    const doors = await scene.openDoors();
    if (doors.length > 0) throw new Error(`the engine answers a stranger: ${doors.join(', ')}`);
    for (let count = 0; count < kills; count += 1) {
      const kill = await killOnce(scene, random);
      done.push(kill);
      onKill(kill);
    }
    await scene.settle();
    const compared = await compare(scene);
    const ms = systemClock.elapsed() - startedAt;
    return { ...compared, kills: done, blocksByRpc: scene.rpc.given.size, ms };
  } finally {
    await scene.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function killOnce(scene: Scene, random: Random): Promise<Kill> {
  const victim = random.pick(['service', 'engine'] as const);
  const moment = random.pick(
    victim === 'service' ? (['anywhere', 'flush', 'flush', 'start'] as const) : (['anywhere', 'flush'] as const),
  );
  if (moment === 'flush') {
    await scene.flushes(random.between(1, 3));
    await systemClock.sleep(random.between(0, MAX_FLUSH_MS));
  } else {
    await scene.flushes(1);
    await systemClock.sleep(random.between(0, MAX_ANYWHERE_MS));
  }
  const killedAt = systemClock.elapsed();
  if (victim === 'engine') {
    const by = random.pick(['kill', 'kill', 'hang-ups'] as const);
    if (by === 'kill') await scene.killEngine();
    else await scene.hangUpOnEngine(HANG_UPS);
    return { victim, by, moment, backAfterMs: systemClock.elapsed() - killedAt };
  }
  await scene.killService();
  scene.start();
  if (moment === 'start') {
    await systemClock.sleep(random.between(0, MAX_START_MS));
    await scene.killService();
    scene.start();
  }
  await scene.back();
  return { victim, by: 'kill', moment, backAfterMs: systemClock.elapsed() - killedAt };
}

interface Scene {
  readonly node: SimulatedNode;
  readonly geyser: HostileGeyser;
  readonly rpc: HostileRpc;
  readonly dataDir: string;
  start(): void;
  /** Resolves when the service answers. */
  back(): Promise<void>;
  /** Resolves when so many more flushes have come into the outbox. */
  flushes(count: number): Promise<void>;
  killService(): Promise<void>;
  /** Resolves when the service has started it again by itself. */
  killEngine(): Promise<void>;
  /** A stranger's connections to the engine. Resolves when the service has had rows stored since. */
  hangUpOnEngine(count: number): Promise<void>;
  /** What answers a stranger at the engine's port, that should not. */
  openDoors(): Promise<string[]>;
  /** Ends the chain, waits until the service has all of it, and stops the service in order. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

async function openScene(seed: string, folder: string): Promise<Scene> {
  const plan = calmPlan(seed);
  const node = createSimulatedNode(plan);
  const geyser = await startHostileGeyser(node, plan);
  const rpc = await startHostileRpc(node, plan);
  const outbox = join(folder, 'outbox');
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  let flushed = 0;
  /** Who waits for the next flush: a kill in the middle of it can not wait for a look. */
  let onFlush: () => void = () => {};
  const watcher: FSWatcher = watch(outbox, (event, name) => {
    // Its removal, once the store has it, is a `rename` too.
    if (event !== 'rename' || name?.endsWith('.flush') !== true || !existsSync(join(outbox, name))) return;
    flushed += 1;
    onFlush();
  });
  const ticker = setInterval(() => {
    if (geyser.subscriptions === 0) return;
    node.advance();
    geyser.wake();
  }, SLOT_MS);
  let service: ServiceProcess | undefined;
  let api = '';

  async function until(what: string, timeoutMs: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = systemClock.elapsed() + timeoutMs;
    const ended = { yet: false };
    void service!.exited.then(() => {
      ended.yet = true;
    });
    while (!(await isSo())) {
      if (ended.yet) throw new Error(`the service ended by itself\n${service!.lastLines.join('\n')}`);
      if (systemClock.elapsed() > deadline) throw new Error(`${what}\n${service!.lastLines.join('\n')}`);
      const flush = new Promise<void>((resolve) => {
        onFlush = resolve;
      });
      await Promise.race([flush, systemClock.sleep(POLL_MS)]);
    }
  }

  async function flushes(count: number): Promise<void> {
    const enough = flushed + count;
    await until('the service takes no more blocks', BACK_TIMEOUT_MS, () => flushed >= enough);
  }

  /** By its own figures: all is stored, no hole is left, no mint waits to be folded again. */
  async function isCaughtUp(): Promise<boolean> {
    const answer = await fetch(new URL('/metrics', api)).catch(() => undefined);
    const text = (await answer?.text()) ?? '';
    const figure = (name: string) => Number(new RegExp(`^mintscope_ingest_${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return figure('committed_slot') >= node.confirmedSlot && figure('holes') === 0 && figure('stale_mints') === 0;
  }

  return {
    node,
    geyser,
    rpc,
    dataDir: folder,
    start() {
      service = startServiceProcess({
        MINTSCOPE_SOURCE: 'yellowstone',
        YELLOWSTONE_URL: geyser.url,
        SOLANA_RPC_URL: rpc.url,
        MINTSCOPE_DATA_DIR: folder,
        MINTSCOPE_DEV_KEY: 'local-development',
        // The chain's time stands in its seed, and grows older than what is kept.
        MINTSCOPE_RETENTION: 'forever',
      });
    },
    async back() {
      const timeout = AbortSignal.timeout(BACK_TIMEOUT_MS);
      const late = new Promise<never>((_, reject) => {
        timeout.addEventListener('abort', () => reject(new Error('the service did not come back')));
      });
      api = await Promise.race([service!.ready, late]);
    },
    flushes,
    async killService() {
      service!.kill('SIGKILL');
      await service!.exited;
    },
    async killEngine() {
      const starts = service!.engineStarts;
      process.kill(service!.enginePid!, 'SIGKILL');
      await until('the engine did not come back', BACK_TIMEOUT_MS, () => service!.engineStarts > starts);
    },
    async hangUpOnEngine(count) {
      await hangUp(service!.enginePort!, count);
      await flushes(1);
    },
    async openDoors() {
      const { http, others } = await tryDoors(service!.enginePort!);
      const open = Object.entries(http).filter(([, answer]) => !isShut(answer));
      return [...open, ...Object.entries(others).filter(([, answer]) => !isSilence(answer))].map(([door]) => door);
    },
    async settle() {
      clearInterval(ticker);
      node.confirmAll();
      geyser.wake();
      // Its figures are as of half a second ago, and not all of one instant: a hole may be gone whose marks are not told yet.
      let caughtUpAt: number | undefined;
      await until('the service did not catch up', SETTLE_TIMEOUT_MS, async () => {
        caughtUpAt = (await isCaughtUp()) ? (caughtUpAt ?? systemClock.elapsed()) : undefined;
        return caughtUpAt !== undefined && systemClock.elapsed() - caughtUpAt > FIGURES_AGE_MS;
      });
      service!.kill('SIGTERM');
      const { code, signal } = await service!.exited;
      if (code !== 0) throw new Error(`the service ended with ${code ?? signal} when it was asked to stop`);
      service = undefined;
    },
    async close() {
      clearInterval(ticker);
      watcher.close();
      service?.kill('SIGKILL');
      await service?.exited;
      await geyser.close();
      await rpc.close();
    },
  };
}

/** Opens the store that is left, as the service would, and compares all of it. */
async function compare({
  node,
  geyser,
  rpc,
  dataDir,
}: Scene): Promise<Omit<CrashOutcome, 'kills' | 'ms' | 'blocksByRpc'>> {
  const store = await openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  try {
    const range = { first: node.firstSlot, last: node.confirmedSlot };
    const blocks = node.chain(range.first, range.last);
    const facts = blocks.map(({ truth }) => truth.facts('decoded'));
    const holes = missingRanges(store.coverage, range);
    const served = { sentSlots: geyser.sentSlots, given: rpc.given };
    const fault =
      (holes.length > 0 ? `slots are missing: ${JSON.stringify(holes)}` : undefined) ??
      (await storeDifference(
        store.client,
        blocks.map((block) => viewsOf(block, served)),
      )) ??
      (await positionDifference(store.client, facts)) ??
      (await candleDifference(store.client, facts));
    const { mismatches, checked } = await verifyStore(store);
    const swaps = facts.reduce((sum, each) => sum + each.swaps.length, 0);
    const differs = mismatches.length > 0 ? `verify: ${JSON.stringify(mismatches.slice(0, 3))}` : undefined;
    return { fault: fault ?? differs, blocks: blocks.length, swaps, positions: checked.positions ?? 0 };
  } finally {
    await store.close();
  }
}
