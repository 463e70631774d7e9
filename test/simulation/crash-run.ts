import { existsSync, type FSWatcher, watch } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { hangUp, isShut, isSilence, tryDoors } from '../support/loopback-stranger.ts';
import { calmPlan } from './calm-plan.ts';
import { type HostileGeyser, startHostileGeyser } from './hostile-geyser.ts';
import { type HostileRpc, startHostileRpc } from './hostile-rpc.ts';
import { type Compared, compare } from './left-store.ts';
import { type Damage, damageFault, damageOutbox, type OutboxDamage } from './outbox-damage.ts';
import { createSelfReport, createSettledLook } from './self-report.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { createSimulatedNode, type SimulatedNode } from './simulated-node.ts';

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
  /** Damage to a flush that it left in its outbox, before the next start. */
  readonly damage: Damage | undefined;
  /** From the kill until the service answered again, or took rows again. */
  readonly backAfterMs: number;
}

export interface CrashOutcome extends Compared {
  readonly kills: readonly Kill[];
  readonly blocksByRpc: number;
  readonly ms: number;
}

/** A desk's chain at twice its pace. */
const SLOT_MS = 100;
/** From the first flush after a start to a kill. */
const MAX_ANYWHERE_MS = 1_200;
/** From a flush's file in the outbox to a kill: its inserts take about as long. */
const MAX_FLUSH_MS = 60;
/** The same where what is left in the outbox is to be damaged: there has to be something. */
const MAX_DAMAGED_FLUSH_MS = 8;
/** Of the kills in a flush. */
const DAMAGED_SHARE = 0.5;
/** From a start to a kill in the middle of it. */
const MAX_START_MS = 1_200;
/** Connections that a stranger cuts: some of them may end the engine. */
const HANG_UPS = 300;
const BACK_TIMEOUT_MS = 60_000;
const SETTLE_TIMEOUT_MS = 120_000;
const POLL_MS = 250;

/** Kills the service and its ClickHouse, time and again, while a chain goes on; then compares the store with the chain. */
export async function runCrashes({ seed, kills, onKill }: CrashOptions): Promise<CrashOutcome> {
  const startedAt = systemClock.elapsed();
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-crash-'));
  const scene = await openScene(seed, folder);
  const done: Kill[] = [];
  try {
    const random = createRandom(`crash/${seed}`);
    const damages = createRandom(`crash/${seed}/outbox`);
    scene.start();
    await scene.back();
    const doors = await scene.openDoors();
    if (doors.length > 0) throw new Error(`the engine answers a stranger: ${doors.join(', ')}`);
    for (let count = 0; count < kills; count += 1) {
      const kill = await killOnce(scene, random, damages);
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

async function killOnce(scene: Scene, random: Random, damages: Random): Promise<Kill> {
  const victim = random.pick(['service', 'engine'] as const);
  const moment = random.pick(
    victim === 'service' ? (['anywhere', 'flush', 'flush', 'start'] as const) : (['anywhere', 'flush'] as const),
  );
  const isDamaged = victim === 'service' && moment === 'flush' && damages.chance(DAMAGED_SHARE);
  if (moment === 'flush') {
    await scene.flushes(random.between(1, 3));
    await systemClock.sleep(Math.min(random.between(0, MAX_FLUSH_MS), isDamaged ? MAX_DAMAGED_FLUSH_MS : MAX_FLUSH_MS));
  } else {
    await scene.flushes(1);
    await systemClock.sleep(random.between(0, MAX_ANYWHERE_MS));
  }
  const killedAt = systemClock.elapsed();
  if (victim === 'engine') {
    const by = random.pick(['kill', 'kill', 'hang-ups'] as const);
    if (by === 'kill') await scene.killEngine();
    else await scene.hangUpOnEngine(HANG_UPS);
    return { victim, by, moment, damage: undefined, backAfterMs: systemClock.elapsed() - killedAt };
  }
  await scene.killService();
  const damage = isDamaged ? await scene.damageOutbox(damages) : undefined;
  scene.start();
  if (moment === 'start') {
    await systemClock.sleep(random.between(0, MAX_START_MS));
    await scene.killService();
    scene.start();
  }
  await scene.back();
  const backAfterMs = systemClock.elapsed() - killedAt;
  if (damage !== undefined) await scene.setAside(damage);
  return { victim, by: 'kill', moment, damage: damage?.damage, backAfterMs };
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
  /** Damages a flush that the service left; undefined when it left none. */
  damageOutbox(random: Random): Promise<OutboxDamage | undefined>;
  /** Resolves when the service has set that aside and tells of it. */
  setAside(damage: OutboxDamage): Promise<void>;
  /** Resolves when the service has started it again by itself. */
  killEngine(): Promise<void>;
  /** A stranger's connections to the engine. Resolves when the service has had rows stored since. */
  hangUpOnEngine(count: number): Promise<void>;
  /** Requests of a stranger that the engine's port answers and should not. */
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
  /** Called at the next flush: a kill in the middle of one can not wait for a look. */
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
  let api: string | undefined;
  const report = createSelfReport(() => api);

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
    damageOutbox: (random) => damageOutbox(outbox, random),
    async setAside(damage) {
      let fault: string | undefined;
      await until('a damaged flush', BACK_TIMEOUT_MS, async () => {
        fault = await damageFault(outbox, damage, report);
        return fault === undefined;
      }).catch((error: unknown) => {
        throw new Error(`${fault}\n${String(error)}`, { cause: error });
      });
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
      const isSettled = createSettledLook({ report, newest: () => node.confirmedSlot });
      await until('the service did not catch up', SETTLE_TIMEOUT_MS, isSettled);
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
