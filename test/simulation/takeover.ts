import { systemClock } from '../../src/kernel/clock.ts';
import { readJson, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { StoreError } from '../../src/store/clickhouse/store-error.ts';
import { FENCE_MS, FENCED_INSERT_SECONDS } from '../../src/store/clickhouse/write/writer-fence.ts';
import type { ServiceLife } from './service-life.ts';
import type { Takeover } from './takeover-plan.ts';

export interface TakeoverFigures extends Pick<Takeover, 'how' | 'folder'> {
  /** A flush was cut, or stood still, in its middle. */
  readonly inFlush: boolean;
  /** Real milliseconds from the end of one life to the first commit of the next. */
  readonly backAfterMs: number;
}

export interface TakeoverScene {
  readonly ending: ServiceLife;
  /** Of the same database, past every wire. */
  readonly client: StoreClient;
  /** Lets the chain wait, or go on. */
  readonly wait: (waits: boolean) => void;
  /** Starts who goes on. */
  readonly next: () => Promise<ServiceLife>;
  /** Looks until nothing is wanting any more. Throws when that takes too long. */
  readonly until: (what: string, isSo: () => Promise<string | undefined>) => Promise<void>;
}

/** Ends a life, one way or another, and lets another host go on. Throws when one that was replaced is not told so. */
export async function takeOver(takeover: Takeover, scene: TakeoverScene): Promise<TakeoverFigures> {
  const { how, folder } = takeover;
  const isFrozen = how === 'freeze' || how === 'freezeInInsert';
  const inFlush = isFrozen ? await freeze(takeover, scene) : await kill(takeover, scene);
  const endedAt = systemClock.elapsed();
  scene.wait(takeover.chainWaits);
  await untilServerRests(scene, how, inFlush);
  const beginning = scene.next();
  if (isFrozen && takeover.thaw === 'recovery') {
    await Promise.race([untilNewerLease(scene), beginning]);
    scene.ending.thaw();
  }
  const next = await beginning;
  scene.wait(false);
  const begunAt = next.feed.committedSlot;
  await scene.until('the successor never wrote', async () =>
    next.feed.committedSlot > begunAt ? undefined : `it is at ${begunAt}`,
  );
  const backAfterMs = systemClock.elapsed() - endedAt;
  if (isFrozen) await thaw(takeover, scene, inFlush);
  return { how, folder, inFlush, backAfterMs: Math.round(backAfterMs) };
}

function kill({ how, inserts }: Takeover, { ending }: TakeoverScene): Promise<boolean> {
  if (how === 'kill') return ending.kill().then(() => false);
  return ending.killAtInsert(inserts, how === 'killAnswer' ? 'hide' : 'cut');
}

function freeze({ how, inserts }: Takeover, { ending }: TakeoverScene): Promise<boolean> {
  return ending.freezeAtInsert(inserts, how === 'freezeInInsert' ? 'holdHalf' : 'hold');
}

/** The frozen one goes on, and has to find out that it is nobody any more: at its next insert, should it be in a flush. */
async function thaw({ thaw: when }: Takeover, { ending, until }: TakeoverScene, inFlush: boolean): Promise<void> {
  if (when === 'commit') ending.thaw();
  await until('a frozen writer that was replaced goes on', async () => {
    if (!ending.store.lost.aborted) return 'it was not told';
    return inFlush && ending.fault === undefined ? 'its flush has not ended' : undefined;
  });
  const { fault, store } = ending;
  await ending.stop();
  for (const error of fault === undefined ? [store.lost.reason] : [store.lost.reason, fault]) {
    if (!isLeaseLost(error)) throw new Error('a writer that was replaced ended otherwise', { cause: error });
  }
}

function isLeaseLost(error: unknown): boolean {
  if (error instanceof StoreError && error.code === 'lease_lost') return true;
  return error instanceof Error && error.cause !== undefined && isLeaseLost(error.cause);
}

/**
 * The service's clock is fast and the server's is not: a successor waits for fifteen seconds of the one, in which what
 * was begun before has come to its end by the other, and nothing more of it is let in.
 */
async function untilServerRests(
  { client, until }: TakeoverScene,
  how: Takeover['how'],
  inFlush: boolean,
): Promise<void> {
  if (how === 'freezeInInsert' && inFlush) return systemClock.sleep(FENCED_INSERT_SECONDS * 1_000);
  if (how === 'freeze' || how === 'freezeInInsert') await systemClock.sleep(FENCE_MS);
  await until('inserts never end', async () => ((await inserts(client)) === 0 ? undefined : 'some are under way'));
}

async function inserts(client: StoreClient): Promise<number> {
  const [row] = await readJson<{ n: number }>(
    client,
    `SELECT toUInt32(count()) AS n FROM system.processes WHERE current_database = currentDatabase() AND query_kind != 'Select'`,
  );
  return row?.n ?? 0;
}

async function untilNewerLease({ ending, client, until }: TakeoverScene): Promise<void> {
  await until('nobody took the lease', async () => {
    const [row] = await readJson<{ epoch: number }>(client, 'SELECT toUInt32(max(epoch)) AS epoch FROM writer_lease');
    return (row?.epoch ?? 0) > (ending.store.lease?.term.epoch ?? 0) ? undefined : 'it is the old one';
  });
}
