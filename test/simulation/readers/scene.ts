import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/kernel/clock.ts';
import { hangUp } from '../../support/loopback-stranger.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';
import { calmPlan } from '../calm-plan.ts';
import { startHostileGeyser } from '../hostile-geyser.ts';
import { startHostileRpc } from '../hostile-rpc.ts';
import { createSelfReport, createSettledLook } from '../self-report.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { type SeverableProxy, startSeverableProxy } from '../severable-proxy.ts';
import { createSimulatedNode, type SimulatedNode } from '../simulated-node.ts';
import type { ReadersFault, StoreForm } from './plan.ts';
import { startTroubledStore, type TroubledStore } from './troubled-store.ts';

/** The compiled service, a chain for it to read, and everything around it that can fail. */
export interface Scene {
  readonly api: string;
  readonly node: SimulatedNode;
  readonly service: ServiceProcess;
  /** Of the service's own store; its outbox and lock when the store is somebody else's. */
  readonly dataDir: string;
  readonly storeUrl: string | undefined;
  /** True when its store has a disk of its own, which can be full. */
  readonly hasSmallDisk: boolean;
  /** Lets the chain go on, or rest. */
  play(moving: boolean): void;
  /** Resolves when the store has all that the chain has confirmed, by the service's own figures. */
  settled(): Promise<void>;
  /** Begins what is to go wrong. Resolves with how it ends. */
  begin(fault: ReadersFault): Promise<() => Promise<void>>;
  /** Alarms of `/health` now. */
  alarms(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const READERS_KEY = 'key-of-the-readers';
const SLOT_MS = 100;
/** Of the service that has its own store. */
const DISK = '600m';
const SETTLE_TIMEOUT_MS = 120_000;
const START_TIMEOUT_MS = 240_000;
/** So many slots of rest before the chain counts as confirmed. */
const FIRST_SLOTS = 150;

export interface SceneOptions {
  readonly seed: string;
  readonly form: StoreForm;
}

export async function openScene({ seed, form }: SceneOptions): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'mintscope-readers-'));
  const dataDir = join(folder, 'service');
  const disk = form === 'embedded' ? mountSmallDisk(dataDir, DISK) : undefined;
  const store = form === 'external' ? await startTroubledStore(folder) : undefined;
  const plan = calmPlan(seed);
  const node = createSimulatedNode(plan);
  const geyser = await startHostileGeyser(node, plan);
  const stream = await startSeverableProxy(Number(new URL(geyser.url).port));
  const rpc = await startHostileRpc(node, plan);
  const service = startServiceProcess({
    MINTSCOPE_SOURCE: 'yellowstone',
    YELLOWSTONE_URL: `http://127.0.0.1:${stream.port}`,
    SOLANA_RPC_URL: rpc.url,
    MINTSCOPE_DATA_DIR: dataDir,
    MINTSCOPE_DEV_KEY: READERS_KEY,
    MINTSCOPE_METADATA: 'false',
    MINTSCOPE_RETENTION: 'forever',
    // The small disk is filled to the last byte, and has less than is usually kept free from the start.
    ...(disk === undefined ? {} : { MINTSCOPE_MIN_FREE_DISK: '0' }),
    ...(store === undefined ? {} : { CLICKHOUSE_URL: store.url }),
  });
  const clock = createChainClock(node, geyser);
  const close = async (): Promise<void> => {
    clock.play(false);
    service.kill('SIGCONT');
    service.kill('SIGKILL');
    await service.exited;
    await stream.close();
    await geyser.close();
    await rpc.close();
    await store?.close();
    disk?.unmount();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const api = await within(START_TIMEOUT_MS, service.ready, 'the service did not start');
    for (let slot = 0; slot < FIRST_SLOTS; slot += 1) node.advance();
    geyser.wake();
    const report = createSelfReport(() => api);
    const around = { service, store, disk, stream };
    return {
      api,
      node,
      service,
      dataDir,
      storeUrl: store?.url,
      hasSmallDisk: disk !== undefined,
      play: clock.play,
      async settled() {
        clock.play(false);
        node.confirmAll();
        geyser.wake();
        await untilCaughtUp(createSettledLook({ report, newest: () => node.confirmedSlot }), service);
      },
      begin: (fault) => beginFault(fault, around),
      async alarms() {
        const alarms = await report.alarms();
        if (alarms === undefined) throw new Error('GET /health is not answered');
        return alarms;
      },
      close,
    };
  } catch (error) {
    await close();
    throw new Error(`${String(error)}\n${service.lastLines.join('\n')}`);
  }
}

function createChainClock(node: SimulatedNode, geyser: { wake(): void }) {
  let ticker: NodeJS.Timeout | undefined;
  return {
    play(moving: boolean): void {
      clearInterval(ticker);
      if (!moving) return;
      ticker = setInterval(() => {
        node.advance();
        geyser.wake();
      }, SLOT_MS);
    },
  };
}

/** By its own figures: all is stored, no hole is left, no mint waits to be folded again. */
async function untilCaughtUp(isSettled: () => Promise<boolean>, service: ServiceProcess): Promise<void> {
  const deadline = systemClock.elapsed() + SETTLE_TIMEOUT_MS;
  const ended = { yet: false };
  void service.exited.then(() => {
    ended.yet = true;
  });
  while (!(await isSettled())) {
    if (ended.yet) throw new Error(`the service ended by itself\n${service.lastLines.join('\n')}`);
    if (systemClock.elapsed() > deadline)
      throw new Error(`the service did not catch up\n${service.lastLines.join('\n')}`);
  }
}

interface Around {
  readonly service: ServiceProcess;
  readonly store: TroubledStore | undefined;
  readonly disk: SmallDisk | undefined;
  readonly stream: SeverableProxy;
}

async function beginFault(fault: ReadersFault, around: Around): Promise<() => Promise<void>> {
  const { service, store, disk, stream } = around;
  const pid = store?.pid ?? service.enginePid!;
  const nothing = async () => {};
  switch (fault.kind) {
    case 'freeze':
      process.kill(pid, 'SIGSTOP');
      return async () => void process.kill(pid, 'SIGCONT');
    case 'kill':
      process.kill(pid, 'SIGKILL');
      return nothing;
    case 'hang-ups':
      await hangUp(service.enginePort!, fault.connections!);
      return nothing;
    case 'full-disk':
      disk!.fill();
      return async () => disk!.makeRoom();
    case 'source-away':
      stream.sever();
      return async () => stream.mend();
    case 'away':
      store!.wire.sever();
      return async () => store!.wire.mend();
    case 'refusal':
    case 'login':
      store!.answers.refusal = fault.refusal;
      return async () => {
        store!.answers.refusal = undefined;
      };
    case 'cut':
      store!.answers.cut = fault.cut!;
      return async () => {
        store!.answers.cut = 'none';
      };
  }
}

async function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  const patience = new AbortController();
  const late = systemClock.sleep(ms, patience.signal).then((): never => {
    throw new Error(what);
  });
  late.catch(() => {});
  return Promise.race([promise, late]).finally(() => patience.abort());
}
