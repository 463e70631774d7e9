import { systemClock } from '../../../src/kernel/clock.ts';
import type { Random } from '../../../src/simulator/random.ts';
import { ASKED, type Asked, type AskedName } from './asked.ts';
import type { CallTally } from './call-tally.ts';
import type { SpendingKey } from './customers.ts';
import { call, type Fate } from './http-call.ts';
import type { ServerHandle } from './server-handle.ts';

/** Many customers that ask at once, at whichever process answers. */
export interface Load {
  resume(): void;
  /** Resolves when nothing is under way any more. */
  pause(): Promise<void>;
  /** Keys that are spent from then on. */
  add(keys: readonly LoadKey[]): void;
  /** Answers that are not what they should be, since it was asked last. */
  takeFaults(): string[];
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

export interface LoadKey extends SpendingKey {
  /** All that it asks; undefined for anything. */
  readonly asks: AskedName | undefined;
}

export interface RefusedCall {
  readonly key: SpendingKey;
  readonly price: number;
  /** The most that others may have claimed of its pool since the last count. */
  readonly claimedByOthers: number;
}

export interface LoadOptions {
  readonly random: Random;
  readonly servers: readonly ServerHandle[];
  readonly tally: CallTally;
  /** Told of every call that was refused for want of credits. */
  readonly onRefusal: (refused: RefusedCall) => void;
}

const CLIENTS = 24;
/** Between two calls of a client: the machine has other things to do as well. */
const MAX_PAUSE_MS = 12;
/** While nobody answers. */
const NOBODY_MS = 20;
/** A process that is frozen is not waited for. */
const TIMEOUT_MS = 1_500;
/** Statuses that any call may be answered with: no credits, or they cannot be read. */
const ALWAYS_POSSIBLE: readonly number[] = [402, 503];
const KEPT_FAULTS = 20;
const WEIGHTS = ASKED.flatMap((asked) => Array.from({ length: asked.weight }, (): Asked => asked));

export function startLoad({ random, servers, tally, onRefusal }: LoadOptions): Load {
  const keys: LoadKey[] = [];
  let faults: string[] = [];
  const statuses = new Map<number, number>();
  let running = false;
  let closed = false;
  let wake: () => void = () => {};
  let woken = new Promise<void>((resolve) => {
    wake = resolve;
  });

  function judge(asked: Asked, fate: Fate): void {
    if (fate.kind !== 'answered') return;
    const { status, cost } = fate;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const right = status === asked.status ? asked.cost : ALWAYS_POSSIBLE.includes(status) ? 0 : undefined;
    if (cost === right || faults.length >= KEPT_FAULTS) return;
    faults.push(`${asked.name}: status ${status} at ${cost} credits, where ${asked.status} at ${asked.cost} is right`);
  }

  async function ask(chance: Random): Promise<void> {
    const answering = servers.filter(({ port }) => port !== undefined);
    const server = answering[chance.below(answering.length)];
    if (server?.port === undefined) {
      await systemClock.sleep(NOBODY_MS);
      return;
    }
    const key = keys[chance.zipf(keys.length, 0.7)]!;
    const asked = key.asks === undefined ? chance.pick(WEIGHTS) : ASKED.find(({ name }) => name === key.asks)!;
    const { name, agent, port } = server;
    const open = tally.begin({ keyId: key.keyId, poolId: key.poolId, server: name, price: asked.price });
    const headers = { 'x-api-key': key.text, ...asked.headers };
    const fate = await call({ agent, port, path: asked.path, headers, timeoutMs: TIMEOUT_MS });
    if (fate.kind === 'answered') {
      open.answered(fate.status, fate.cost);
      if (fate.status === 402) onRefusal({ key, price: asked.price, claimedByOthers: open.claimedByOthers() });
    } else if (fate.kind === 'broke') open.broke();
    else open.unsent();
    judge(asked, fate);
  }

  async function client(chance: Random): Promise<void> {
    while (!closed) {
      if (!running) await woken;
      else {
        await ask(chance);
        await systemClock.sleep(chance.between(0, MAX_PAUSE_MS));
      }
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, index) => client(random.fork(`client ${index}`)));
  const idle = async () => {
    running = false;
    while (tally.open > 0) await systemClock.sleep(5);
  };
  return {
    statuses,
    takeFaults() {
      const taken = faults;
      faults = [];
      return taken;
    },
    add: (more) => void keys.push(...more),
    resume() {
      running = true;
      wake();
      woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    pause: idle,
    async close() {
      await idle();
      closed = true;
      wake();
      await Promise.all(clients);
    },
  };
}
