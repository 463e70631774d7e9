import { createRandom, type Random } from '../../../src/simulator/random.ts';

/** The service's ClickHouse: its own child, or somebody's behind a way that can be troubled. */
export type StoreForm = 'embedded' | 'external';

export type FaultKind =
  /** SIGSTOP of the engine, and SIGCONT. */
  | 'freeze'
  /** SIGKILL of the engine. */
  | 'kill'
  /** A stranger cuts connections to the engine's shut door. */
  | 'hang-ups'
  /** No byte is left where the engine works. */
  | 'full-disk'
  /** The node ends its stream and refuses the next ones. */
  | 'source-away'
  /** Every question is answered by an error of the server. */
  | 'refusal'
  /** The password is none any more. */
  | 'login'
  /** Connections to the store are refused. */
  | 'away'
  /** Answers of the store lose their bodies, or half of them, or the count of their rows. */
  | 'cut';

export interface ReadersFault {
  readonly kind: FaultKind;
  /** Real milliseconds that it lasts. */
  readonly ms: number;
  /** The chain goes on meanwhile; otherwise every answer can be held to the one of before. */
  readonly moving: boolean;
  /** Of `refusal` and `login`. */
  readonly refusal?: Refusal;
  /** Of `cut`. */
  readonly cut?: 'all' | 'half' | 'uncounted';
  /** Of `hang-ups`. */
  readonly connections?: number;
}

export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Errors of a server that passes, in its words. */
const PASSING: readonly Refusal[] = [
  [279, 'ALL_CONNECTION_TRIES_FAILED', 'All connection tries failed'],
  [999, 'KEEPER_EXCEPTION', 'Coordination::Exception: Session expired'],
  [210, 'NETWORK_ERROR', 'I/O error: Broken pipe'],
  [236, 'ABORTED', 'The server is shutting down due to a fatal error'],
].map(([code, name, said]) => refusalOf(Number(code), String(name), String(said)));

const LOGIN = refusalOf(516, 'AUTHENTICATION_FAILED', 'mintscope: Authentication failed: password is incorrect');

const SHORTEST_MS = 500;
const LONGEST_MS = 7_000;
/** In a short form. */
const LONGEST_SHORT_MS = 2_000;
/** Longer than a source may be silent before that is an alarm: a frozen store has to be blamed for itself. */
const LONG_FREEZE_MS = 40_000;

type Card = Omit<ReadersFault, 'ms' | 'moving'> & Partial<Pick<ReadersFault, 'ms' | 'moving'>>;

/** Everything that can go wrong with a store of that form. What is not said is drawn. */
const CARDS: Readonly<Record<StoreForm, readonly Card[]>> = {
  embedded: [
    { kind: 'full-disk', ms: LONGEST_MS, moving: false },
    { kind: 'freeze', ms: LONG_FREEZE_MS, moving: true },
    { kind: 'freeze' },
    { kind: 'kill' },
    { kind: 'source-away' },
    ...[300, 500, 1_500, 4_000].map((connections) => ({ kind: 'hang-ups', connections }) as const),
  ],
  external: [
    { kind: 'cut', cut: 'all', moving: false },
    { kind: 'freeze', ms: LONG_FREEZE_MS, moving: true },
    { kind: 'freeze' },
    { kind: 'kill' },
    { kind: 'away' },
    { kind: 'source-away' },
    { kind: 'login', refusal: LOGIN },
    { kind: 'cut', cut: 'half' },
    { kind: 'cut', cut: 'uncounted' },
    ...PASSING.map((refusal) => ({ kind: 'refusal', refusal }) as const),
  ],
};

export interface DrawOptions {
  readonly seed: string;
  readonly form: StoreForm;
  readonly count: number;
  /** True when the disk of the store can be full. */
  readonly hasSmallDisk: boolean;
  /** Nothing lasts longer than a moment, and the chain is at rest. */
  readonly isShort: boolean;
}

/** Draws faults in order: answers that lose their rows come first, and every kind comes once before any comes again. */
export function drawFaults({ seed, form, count, hasSmallDisk, isShort }: DrawOptions): ReadersFault[] {
  const random = createRandom(`readers/${form}/${seed}`);
  const cards = CARDS[form].filter(({ kind }) => hasSmallDisk || kind !== 'full-disk');
  const faults: ReadersFault[] = [];
  while (faults.length < count) {
    const [first, ...others] = cards;
    for (const card of [first!, ...shuffled(others, random)]) faults.push(drawFault(card, random, isShort));
  }
  return faults.slice(0, count);
}

function drawFault(card: Card, random: Random, isShort: boolean): ReadersFault {
  const { ms = random.between(SHORTEST_MS, LONGEST_MS), moving = random.chance(0.5) } = card;
  if (isShort) return { ...card, ms: Math.min(ms, LONGEST_SHORT_MS), moving: false };
  return { ...card, ms, moving };
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.between(0, left.length - 1), 1)[0]!);
}

/** In few words, for the story of a run. */
export function describeFault({ kind, ms, moving, refusal, cut, connections }: ReadersFault): string {
  const how = refusal?.code ?? cut ?? connections;
  return `${kind}${how === undefined ? '' : ` ${how}`}, ${ms} ms, the chain ${moving ? 'goes on' : 'at rest'}`;
}

function refusalOf(code: number, name: string, said: string): Refusal {
  return { code, message: `Code: ${code}. DB::Exception: ${said}. (${name}) (version 26.1.1.1)` };
}
