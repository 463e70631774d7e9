import { systemClock } from '../../../src/kernel/clock.ts';
import { differences, isTold, leavesOf, lossFault, type ReadAnswer, refusalFault } from './judge.ts';
import type { Question } from './questions.ts';

/** Those who ask the service all along, and never believe it. */
export interface Readers {
  readonly tally: Readonly<Tally>;
  /** Faults found, the first of each kind. */
  readonly faults: readonly string[];
  /**
   * Sets what answers are held to from now on: equal to `before` at rest, and no loss of it while the chain goes on.
   */
  holdTo(before: Reference, how: 'equal' | 'no-loss'): void;
  /** Asks every question once; rejects with the answer that was not one after the time. */
  askAll(patienceMs: number): Promise<Answers>;
  /** No more than what is under way; resolves when that has ended. */
  stop(): Promise<void>;
}

export type Answers = ReadonlyMap<Question, ReadAnswer>;

/** Right answers, and where they move with time alone. */
export interface Reference {
  readonly answers: Answers;
  readonly moving: ReadonlyMap<Question, ReadonlySet<string>>;
  /** By the wall clock, counted from 1970: buckets of days and weeks begin with another hour in the next one. */
  readonly hour: number;
}

export interface Tally {
  asked: number;
  answered: number;
  /** 503, 504 and 429. */
  told: number;
  /** Held to a reference. */
  compared: number;
  slowestMs: number;
}

export interface ReadersOptions {
  readonly api: string;
  readonly key: string;
  readonly questions: readonly Question[];
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const MAX_FAULTS = 20;
/** Until every question is answered again behind a trouble. */
export const READ_PATIENCE_MS = 60_000;
/** Between two questions of one reader: together they stay below what a key may ask. */
const PAUSE_MS = 10;
const AGAIN_MS = 250;
const ASKED_AT_ONCE = 6;
/** Longer than any answer may take. */
const GIVE_UP_MS = 60_000;

export function startReaders({ api, key, questions, count }: ReadersOptions): Readers {
  const tally: Tally = { asked: 0, answered: 0, told: 0, compared: 0, slowestMs: 0 };
  const faults = new Map<string, string>();
  const stopping = new AbortController();
  let held: { readonly before: Reference; readonly how: 'equal' | 'no-loss' } | undefined;

  function note({ route, path }: Question, fault: string): void {
    const kind = `${route.name} ${fault.slice(0, 40)}`;
    if (!faults.has(kind) && faults.size < MAX_FAULTS) faults.set(kind, `GET ${path}: ${fault}`);
  }

  async function ask(question: Question): Promise<ReadAnswer | undefined> {
    const askedFor = held;
    tally.asked += 1;
    const answer = await fetchAnswer(api, key, question).catch((error: unknown) => {
      note(question, `no answer: ${String(error)} ${String((error as Error).cause ?? '')}`);
      return undefined;
    });
    if (answer === undefined) return undefined;
    tally.slowestMs = Math.max(tally.slowestMs, answer.ms);
    if (isTold(answer)) tally.told += 1;
    else tally.answered += 1;
    const fault = refusalFault(question.route, answer);
    if (fault !== undefined) note(question, fault);
    // Asked under one rule and answered under another: neither holds.
    if (askedFor !== undefined && askedFor === held) hold(question, answer, askedFor);
    return answer;
  }

  function hold(question: Question, answer: ReadAnswer, { before, how }: NonNullable<typeof held>): void {
    const right = before.answers.get(question);
    if (right === undefined || isTold(answer)) return;
    tally.compared += 1;
    const fault = how === 'no-loss' ? lossFault(right, answer) : differenceFrom(before, question, answer);
    if (fault !== undefined) note(question, fault);
  }

  async function read(at: number): Promise<void> {
    for (let next = at; !stopping.signal.aborted; next += count) {
      await ask(questions[next % questions.length]!);
      await systemClock.sleep(PAUSE_MS, stopping.signal);
    }
  }

  async function untilAnswered(question: Question, deadline: number): Promise<ReadAnswer> {
    for (;;) {
      const answer = await ask(question);
      if (answer !== undefined && !isTold(answer)) return answer;
      if (systemClock.elapsed() > deadline) {
        throw new Error(`GET ${question.path} is still refused: ${answer?.status} ${answer?.body}`);
      }
      await systemClock.sleep(AGAIN_MS);
    }
  }

  const reading = Promise.all(Array.from({ length: count }, (_, at) => read(at)));
  return {
    tally,
    get faults() {
      return [...faults.values()];
    },
    holdTo(before, how) {
      held = { before, how };
    },
    async askAll(patienceMs) {
      const deadline = systemClock.elapsed() + patienceMs;
      const answers = new Map<Question, ReadAnswer>();
      const left = [...questions];
      const askOn = async (): Promise<void> => {
        for (let question = left.shift(); question !== undefined; question = left.shift()) {
          answers.set(question, await untilAnswered(question, deadline));
        }
      };
      await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askOn));
      return answers;
    },
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}

/**
 * The first difference between an answer and the right one, but for values that move with time; undefined when there is
 * none.
 */
export function differenceFrom(before: Reference, question: Question, answer: ReadAnswer): string | undefined {
  if (!question.ofFacts || before.hour !== hourNow()) return undefined;
  const right = leavesOf(before.answers.get(question)!);
  const given = leavesOf(answer);
  const moving = before.moving.get(question);
  const path = differences(right, given).find((each) => moving?.has(each) !== true);
  return path && `${path} is ${given.get(path)}, and ${right.get(path)} is right`;
}

/** Answers of a service at rest, asked for several times: what differs between them is the time of day. */
export async function takeReference(readers: Readers, patienceMs: number): Promise<Reference> {
  const hour = hourNow();
  const answers = await readers.askAll(patienceMs);
  const again = await readers.askAll(patienceMs);
  const moving = new Map(
    [...answers].map(([question, answer]) => {
      const other = again.get(question)!;
      return [question, new Set(differences(leavesOf(answer), leavesOf(other)))] as const;
    }),
  );
  return { answers: again, moving, hour };
}

function hourNow(): number {
  return Math.floor(systemClock.now() / HOUR_MS);
}

/** Rejects when the connection ends without an answer. */
export async function fetchAnswer(api: string, key: string, { path, route }: Question): Promise<ReadAnswer> {
  const begun = systemClock.elapsed();
  const answer = await fetch(`${api}${path}`, {
    headers: route.access === 'public' ? {} : { 'x-api-key': key },
    redirect: 'manual',
    signal: AbortSignal.timeout(GIVE_UP_MS),
  });
  const body = await answer.text();
  const { status, headers } = answer;
  return { status, retryAfter: headers.get('retry-after'), body, ms: systemClock.elapsed() - begun };
}
