import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger, silentLogger } from '../../src/kernel/log.ts';
import { readRows, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { type Coverage, findRange, mergeRanges, missingRanges } from '../../src/store/clickhouse/coverage.ts';
import { readStale } from '../../src/store/clickhouse/write/stale-positions.ts';
import type { AdversityPlan, Restart } from './adversity.ts';
import { createChainPace, lastTroubleOf, SLOT_MS } from './chain-pace.ts';
import { type EndState, endDifference, holesDifference } from './end-state.ts';
import { assertFeed, newestShown } from './feed-mirror.ts';
import { startHostileGeyser } from './hostile-geyser.ts';
import { startHostileRpc } from './hostile-rpc.ts';
import { createScaledClock } from './scaled-clock.ts';
import { type ServiceLife, startPatiently } from './service-life.ts';
import { createSimulatedNode } from './simulated-node.ts';
import { type TakeoverFigures, takeOver } from './takeover.ts';
import type { Takeover } from './takeover-plan.ts';

export interface RunFigures {
  readonly slots: number;
  readonly lives: number;
  readonly subscriptions: number;
  readonly rpcCalls: number;
  readonly blocksByRpc: number;
  readonly withdrawals: number;
  readonly takeovers: readonly TakeoverFigures[];
}

/** One chain, its servers, and the service over all its restarts. */
export interface ChainRun {
  /** Runs to the end. What differs from the truth then; undefined when nothing does. Throws what broke on the way. */
  difference(): Promise<string | undefined>;
  figures(): RunFigures;
  close(): Promise<void>;
}

export interface ChainRunOptions {
  readonly storeUrl: string;
  /** Holds a data folder for each host. */
  readonly dataDir: string;
  /** Of the same database, past every wire that is cut. */
  readonly client: StoreClient;
}

/** So many of the service's milliseconds go by in one of ours: backoffs and lapses do not cost a run its time. */
const CLOCK_FACTOR = 40;
const LOOK_EVERY_MS = 30;
/** Looks after which a chain at rest moves on by a slot. */
const LOOKS_A_SLOT = 30;
/** Within this everything has to be as it should be once the trouble is over. An idle machine needs a hundredth of it. */
const SETTLE_MS = 240_000;
/** Ages and buckets of answers are told as of the chain's own time. */
const BOOK_NOW = 1_794_614_460_000;

export async function createChainRun(plan: AdversityPlan, options: ChainRunOptions): Promise<ChainRun> {
  const node = createSimulatedNode(plan);
  const lastTrouble = lastTroubleOf(plan, node);
  const pruned = new Set(plan.rpc.pruned.map((offset) => node.firstSlot + offset));
  const lives: ServiceLife[] = [];
  /** Mints whose books this life made, in that order. */
  const warmed = new Set<EndState['mints'][number]>();
  let life: ServiceLife | undefined;
  let withdrawals = 0;
  /** The slot up to which the service first said that all is stored: the store may not begin behind it. */
  let firstCommit: number | undefined;
  /** Blocks have come to it: who was served by then rides out refusals. */
  const isServed = () => life !== undefined && life.mirror.batches.length > 0;
  const geyser = await startHostileGeyser(node, plan, isServed);
  const rpc = await startHostileRpc(node, plan, isServed);
  let chainStops = false;
  let chainWaits = false;
  /** Hosts so far, each with a data folder of its own; the first is 0. */
  let hosts = 1;
  let host = 0;
  const takeovers: TakeoverFigures[] = [];

  const begin = async (): Promise<ServiceLife> => {
    const dataDir = join(options.dataDir, `host-${host}`);
    await mkdir(dataDir, { recursive: true });
    warmed.clear();
    life = await startPatiently({
      source: plan.sources.source,
      commitment: plan.commitment,
      streamUrl: geyser.url,
      rpcUrl: rpc.url,
      storeUrl: options.storeUrl,
      dataDir,
      clock: createScaledClock(CLOCK_FACTOR),
      bookClock: { now: () => BOOK_NOW, elapsed: systemClock.elapsed, sleep: systemClock.sleep },
      log: process.env.MINTSCOPE_CAMPAIGN_LOG === undefined ? silentLogger : createLogger('debug'),
    });
    lives.push(life);
    return life;
  };

  const pace = createChainPace(plan, node, { life: () => life, hasCommitted: () => firstCommit !== undefined });

  /** The chain goes on by itself, whatever becomes of the service. */
  async function runChain(): Promise<void> {
    while (!chainStops) {
      await systemClock.sleep(pace.slotMs());
      const isWaiting = chainWaits || pace.isOutrun() || geyser.subscriptions + rpc.calls === 0;
      if (chainStops || isWaiting) continue;
      node.advance();
      geyser.wake();
    }
  }

  async function restart({ how, chainWaits: waits }: Restart): Promise<void> {
    chainWaits = waits;
    const ending = life!;
    life = undefined;
    if (how === 'stop') await ending.stop();
    else if (how === 'kill') await ending.kill();
    else await ending.killInInsert(how === 'killAnswer' ? undefined : 500 + 37 * (node.headSlot % 97));
    withdrawals += ending.mirror.withdrawals;
    assertFeed(ending.mirror);
    if (how === 'stop' && ending.fault !== undefined)
      throw new Error('ingest broke when it was stopped', { cause: ending.fault });
    await begin();
    chainWaits = false;
  }

  async function changeHost(takeover: Takeover): Promise<void> {
    const ending = life!;
    life = undefined;
    const wait = (waits: boolean) => {
      chainWaits = waits;
    };
    const next = () => {
      host = takeover.folder === 'first' ? 0 : hosts++;
      return begin();
    };
    takeovers.push(await takeOver(takeover, { ending, client: options.client, wait, next, until }));
    withdrawals += ending.mirror.withdrawals;
    assertFeed(ending.mirror);
  }

  const coverage = async (): Promise<Coverage> => {
    const rows = await readRows(options.client, COVERAGE, 'SELECT first_slot, last_slot FROM coverage');
    return mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
  };

  /** Blocks of the chain that the store should have and has not. */
  async function missing(last: number): Promise<number[]> {
    const covered = await coverage();
    const first = covered[0]?.first;
    if (first === undefined) return [last];
    const wanted = node.chain(first, last).map(({ slot }) => slot);
    const lacking = wanted.filter((slot) => findRange(covered, slot) === undefined && !pruned.has(slot));
    return (covered.at(-1)?.last ?? 0) < (wanted.at(-1) ?? 0) ? [...lacking, last] : lacking;
  }

  /** Of a chain at rest, which goes on by a slot now and then: what a broken stream missed at the very end shows only then. */
  async function untilAtRest(what: string, isSo: () => Promise<string | undefined>, tell: () => void): Promise<void> {
    let looks = 0;
    tell();
    await until(what, async () => {
      const wanting = await isSo();
      looks += 1;
      if (wanting !== undefined && looks % LOOKS_A_SLOT === 0) {
        node.advance();
        tell();
      }
      return wanting;
    });
  }

  async function until(what: string, isSo: () => Promise<string | undefined>): Promise<void> {
    const deadline = systemClock.elapsed() + SETTLE_MS;
    for (;;) {
      assertWell();
      // An engine that is just starting again answers nothing for a moment.
      const wanting = await isSo().catch((error: unknown) => String(error));
      if (wanting === undefined) return;
      if (systemClock.elapsed() > deadline) throw new Error(`${what}: ${wanting}`);
      await systemClock.sleep(LOOK_EVERY_MS);
    }
  }

  /** Checks everything that has to hold at any time. */
  function assertWell(): void {
    if (life === undefined) return;
    const { fault, feed, mirror } = life;
    if (fault !== undefined) throw new Error('ingest broke', { cause: fault });
    if (feed.committedSlot > node.confirmedSlot)
      throw new Error(`slot ${feed.committedSlot} was stored while ${node.confirmedSlot} was the newest confirmed one`);
    assertFeed(mirror);
    const shown = newestShown(mirror);
    if (plan.commitment === 'confirmed' && (shown > node.confirmedSlot || mirror.withdrawals > 0))
      throw new Error(
        `slot ${shown} was shown, confirmed ${node.confirmedSlot}, withdrawn ${mirror.withdrawals} blocks`,
      );
  }

  async function meetTrouble(): Promise<void> {
    const restarts = [...plan.restarts];
    const outages = [...plan.storeOutages];
    const changes = [...plan.takeovers];
    while (node.headSlot <= lastTrouble || restarts.length + changes.length > 0) {
      await systemClock.sleep(SLOT_MS);
      assertWell();
      if (firstCommit === undefined && life!.feed.committedSlot > 0) firstCommit = life!.feed.committedSlot;
      const offset = node.headSlot - node.firstSlot;
      if (outages.length > 0 && outages[0]!.at <= offset) life!.losesStoreFor(outages.shift()!.ms);
      // Before its first commit the service has nothing to lose.
      const mayRestart = firstCommit !== undefined && restarts.length > 0;
      if (mayRestart && restarts[0]!.at <= offset) await restart(restarts.shift()!);
      const mayChange = firstCommit !== undefined && changes.length > 0;
      if (mayChange && changes[0]!.at <= offset) await changeHost(changes.shift()!);
      if (offset % WARM_EVERY_SLOTS === 0) warm(life!);
    }
  }

  /** Somebody asks: books are made, and have to follow from then on. */
  function warm({ books }: ServiceLife): void {
    const [block] = node.chain(node.confirmedSlot - 1, node.confirmedSlot);
    const mint = block?.truth.facts('decoded').swaps[0]?.mint;
    if (mint === undefined) return;
    warmed.add(mint);
    void Promise.all([books.snapshot(mint), books.activity(mint), books.holders(mint, ANSWER_LIMIT)]).catch(() => {});
  }

  return {
    async difference() {
      await begin();
      const chain = runChain();
      await meetTrouble();
      await until('slots that never came', async () => told(await missing(lastTrouble)));
      chainStops = true;
      await chain;
      // The newest block waits to be confirmed, and does not have to wait to be shown.
      if (plan.commitment === 'processed') {
        const isShown = async () => {
          const shown = newestShown(life!.mirror);
          return shown > node.confirmedSlot ? undefined : `${shown} is shown, ${node.confirmedSlot} confirmed`;
        };
        await untilAtRest('no block was shown before it was confirmed', isShown, geyser.wake);
      }
      const restAll = () => {
        node.confirmAll();
        geyser.wake();
      };
      await untilAtRest('the last blocks never came', async () => told(await missing(node.confirmedSlot)), restAll);
      await until('batches that are never committed', async () =>
        life!.feed.held === 0 ? undefined : `${life!.feed.held} are held`,
      );
      await until('mints that are never folded again', async () => {
        // The store knows of a mark a moment before the service that wrote it, and of its end a moment later.
        const { mints } = await readStale(options.client);
        const { staleMints } = life!.stats.snapshot();
        return mints.length + staleMints === 0 ? undefined : `${mints.length} mints`;
      });
      // Holes that nobody has are known to the service only once it has asked.
      await until('holes that are told wrong', async () => {
        const stored = await coverage();
        return holesDifference(life!, missingRanges(stored, { first: stored[0]!.first, last: node.confirmedSlot }));
      });
      return endDifference({
        node,
        life: life!,
        client: options.client,
        coverage: await coverage(),
        firstCommit,
        pruned,
        sentSlots: geyser.sentSlots,
        given: rpc.given,
        mints: [...warmed],
      });
    },
    figures: () => ({
      slots: node.headSlot - node.firstSlot + 1,
      lives: lives.length,
      subscriptions: geyser.subscriptions,
      rpcCalls: rpc.calls,
      blocksByRpc: rpc.given.size,
      withdrawals: withdrawals + (life?.mirror.withdrawals ?? 0),
      takeovers,
    }),
    async close() {
      chainStops = true;
      for (const each of lives) await each.kill();
      await geyser.close();
      await rpc.close();
    },
  };
}

const COVERAGE = { name: 'coverage', columns: { first_slot: 'u32', last_slot: 'u32' } } as const;
const WARM_EVERY_SLOTS = 5;
const ANSWER_LIMIT = 50;
const MAX_TOLD_SLOTS = 20;

function told(slots: readonly number[]): string | undefined {
  return slots.length === 0 ? undefined : `slots ${slots.slice(0, MAX_TOLD_SLOTS).join(', ')} (${slots.length})`;
}
