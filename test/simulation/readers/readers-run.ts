import { createAnswers } from '../../../src/features/index.ts';
import { createFeed } from '../../../src/feed/in-process.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { createLeaderStore } from '../../../src/leaders/leader-store.ts';
import { createLeaders, type Leaders } from '../../../src/leaders/leaders.ts';
import { openStore } from '../../../src/store/clickhouse/store.ts';
import { buildTestApp, TEST_KEY } from '../../support/api-app.ts';
import { refusalFault } from './judge.ts';
import { drawFaults, type ReadersFault, type StoreForm } from './plan.ts';
import { makeQuestions, type Question } from './questions.ts';
import {
  differenceFrom,
  fetchAnswer,
  READ_PATIENCE_MS,
  type Readers,
  type Reference,
  startReaders,
  type Tally,
  takeReference,
} from './readers.ts';
import { openScene, READERS_KEY, type Scene } from './scene.ts';

export interface ReadersRunOptions {
  readonly seed: string;
  readonly form: StoreForm;
  readonly faults: number;
  /** One token is asked about, the chain is at rest, nothing lasts longer than a moment, and behind the last fault nothing is waited for. */
  readonly isShort: boolean;
  /** Told of every fault once all readers are answered again. */
  readonly onFault: (done: FaultDone) => void;
}

export interface FaultDone {
  readonly fault: ReadersFault;
  /** From its end until every question was answered again, milliseconds. */
  readonly readersBackMs: number;
  /** Until the store had all there was. */
  readonly storedMs: number;
  /** Answers that said 503, 504 or 429 while it lasted. */
  readonly told: number;
  readonly alarms: readonly string[];
}

export interface ReadersOutcome {
  readonly wrong: readonly string[];
  readonly tally: Tally;
  readonly questions: number;
  readonly ms: number;
}

/** More than the store is given places: some always wait. */
const READERS = 8;
/** Tokens that are asked about. */
const MINTS = 3;
/** Asked together when the service is told to stop, and how long before. */
const ASKED_AT_THE_END = 20;
const UNDER_WAY_MS = 500;
const ALARMS_EVERY_MS = 500;
const LOOK_MS = 100;
/** Behind the last trouble, as long as anything wrong was seen to be kept. */
const KEPT_WRONG_MS = 40_000;
/** A frozen store that is not told after this is not told. */
const TELLING_MS = 25_000;
/** Answers too wide for a book are given again for so long, whatever the chain has done meanwhile. */
const GIVEN_AGAIN_MS = 6_000;

/** Lets everything around a service fail while readers ask it, and holds their answers to what is right. */
export async function runReaders(options: ReadersRunOptions): Promise<ReadersOutcome> {
  const { seed, form, isShort, onFault } = options;
  const begun = systemClock.elapsed();
  const scene = await openScene({ seed, form });
  try {
    await scene.settled();
    const facts = scene.node
      .chain(scene.node.firstSlot, scene.node.confirmedSlot)
      .map(({ truth }) => truth.facts('decoded'));
    const questions = makeQuestions(facts, isShort ? 1 : MINTS);
    const readers = startReaders({ api: scene.api, key: READERS_KEY, questions, count: READERS });
    const wrong: string[] = [];
    const { hasSmallDisk } = scene;
    for (const fault of drawFaults({ seed, form, count: options.faults, hasSmallDisk, isShort })) {
      const done = await goThrough(fault, scene, readers, wrong);
      onFault(done);
      if (wrong.length + readers.faults.length > 0) break;
    }
    if (!isShort && wrong.length + readers.faults.length === 0) await systemClock.sleep(KEPT_WRONG_MS);
    const last = await takeReference(readers, READ_PATIENCE_MS);
    await readers.stop();
    wrong.push(...readers.faults);
    wrong.push(...(await stopInOrder(scene, questions)));
    wrong.push(...(await againstStore(scene, questions, last)));
    return { wrong, tally: readers.tally, questions: questions.length, ms: systemClock.elapsed() - begun };
  } catch (error) {
    throw new Error(`${String(error)}\n${scene.service.lastLines.join('\n')}`, { cause: error });
  } finally {
    await scene.close();
  }
}

/** One fault, from a service at rest to a service at rest. */
async function goThrough(fault: ReadersFault, scene: Scene, readers: Readers, wrong: string[]): Promise<FaultDone> {
  const before = await takeReference(readers, READ_PATIENCE_MS);
  readers.holdTo(before, fault.moving ? 'no-loss' : 'equal');
  scene.play(fault.moving);
  // While answers were taken the chain stood still, which is an alarm of its own.
  if (fault.moving) await untilNotSilent(scene);
  const toldBefore = readers.tally.told;
  const alarms = watchAlarms(scene);
  const end = await scene.begin(fault);
  await systemClock.sleep(fault.ms);
  await end();
  const endedAt = systemClock.elapsed();
  const since = () => systemClock.elapsed() - endedAt;
  const [readersBackMs, storedMs] = await Promise.all([
    readers.askAll(READ_PATIENCE_MS).then(since),
    scene.settled().then(since),
  ]);
  const seen = await alarms.stop();
  const told = readers.tally.told - toldBefore;
  const blamed = blameFault(fault, seen);
  if (blamed !== undefined) wrong.push(blamed);
  if (fault.moving) await systemClock.sleep(GIVEN_AGAIN_MS);
  else wrong.push(...sameAgain(before, await takeReference(readers, READ_PATIENCE_MS)));
  return { fault, readersBackMs, storedMs, told, alarms: seen };
}

/** Data at rest has the same answers before and after. */
function sameAgain(before: Reference, after: Reference): string[] {
  return [...after.answers].flatMap(([question, answer]) => {
    const difference = differenceFrom(before, question, answer);
    return difference === undefined ? [] : [`GET ${question.path}, after: ${difference}`];
  });
}

/** A store that stands still is the store's fault, and is told as that. */
function blameFault({ kind, ms, moving }: ReadersFault, alarms: readonly string[]): string | undefined {
  if (moving && kind !== 'source-away' && alarms.includes('source_silent')) return `${kind} was told as source_silent`;
  if (kind === 'freeze' && moving && ms > TELLING_MS && !alarms.includes('store_behind'))
    return `a freeze of ${ms} ms was told as ${alarms.join(', ') || 'nothing'}`;
  return undefined;
}

async function untilNotSilent(scene: Scene): Promise<void> {
  while ((await scene.alarms()).includes('source_silent')) await systemClock.sleep(ALARMS_EVERY_MS);
}

function watchAlarms(scene: Scene) {
  const seen = new Set<string>();
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const code of await scene.alarms()) seen.add(code);
      await systemClock.sleep(ALARMS_EVERY_MS, stopping.signal);
    }
  })();
  watching.catch(() => {});
  return {
    async stop(): Promise<readonly string[]> {
      stopping.abort();
      await watching;
      return [...seen];
    },
  };
}

/** Asked to stop while its store stands still: whoever waits for an answer is told. */
async function stopInOrder(scene: Scene, questions: readonly Question[]): Promise<string[]> {
  const { service } = scene;
  const thaw = await scene.begin({ kind: 'freeze', ms: 0, moving: false });
  const asked = questions.slice(0, ASKED_AT_THE_END).map(async (question) => {
    const answer = await fetchAnswer(scene.api, READERS_KEY, question).catch((error: unknown) => String(error));
    const fault = typeof answer === 'string' ? answer : refusalFault(question.route, answer);
    return fault === undefined ? [] : [`GET ${question.path}, as the service stops: ${fault}`];
  });
  await systemClock.sleep(UNDER_WAY_MS);
  service.kill('SIGTERM');
  const faults = (await Promise.all(asked)).flat();
  await thaw();
  const { code, signal } = await service.exited;
  if (code !== 0) throw new Error(`the service ended with ${code ?? signal} when it was asked to stop`);
  return faults;
}

/** Compares the service's last answers with those made from nothing but the store that it left. */
async function againstStore(scene: Scene, questions: readonly Question[], last: Reference): Promise<string[]> {
  const { dataDir, storeUrl: url } = scene;
  const store = await openStore({ url, dataDir, log: silentLogger, clock: systemClock });
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(store.committedSlot, 0);
  const parts = { clock: systemClock, log: silentLogger };
  const leaderStore = createLeaderStore(store.client, () => Math.floor(systemClock.now() / 1_000));
  const leaders = createLeaders({ ...parts, node: undefined, store: leaderStore, head: () => store.committedSlot });
  const answers = createAnswers({ ...parts, client: store.client, feed, leaders });
  const app = buildTestApp({ answers });
  try {
    await untilLeadersAreKnown(leaders);
    const wrong: string[] = [];
    for (const question of questions.filter(({ ofFacts }) => ofFacts)) {
      const { statusCode, body } = await app.inject({
        url: `/api${question.path}`,
        headers: { 'x-api-key': TEST_KEY },
      });
      const fresh = { status: statusCode, body, retryAfter: null, ms: 0 };
      const difference = differenceFrom(last, question, fresh);
      if (difference !== undefined) wrong.push(`GET ${question.path}, from the store: ${difference}`);
    }
    return wrong;
  } finally {
    await app.close();
    answers.close();
    await leaders.stop();
    await store.close();
  }
}

/** Windows reach into the epoch before, and leaders are read from the store one epoch after the other. */
async function untilLeadersAreKnown(leaders: Leaders): Promise<void> {
  const end = systemClock.elapsed() + READ_PATIENCE_MS;
  while (leaders.figures.schedules.previous !== 1) {
    if (systemClock.elapsed() > end) throw new Error('the store does not tell who led the epoch before');
    await systemClock.sleep(LOOK_MS);
  }
}
