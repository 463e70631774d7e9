import { agreesWithItself, type Phase, phaseFigures, type QuietBounds } from './neighbour/figures.ts';
import { startNeighbour } from './neighbour/heavy.ts';
import { askQuietly, QUIET_QUESTIONS } from './neighbour/quiet.ts';
import { signUp } from './neighbour/sign-up.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { hottestToken, scatteredTokens, startOnGrownStore } from './token/grown-service.ts';

/**
 * A quiet customer, which asks for one token after the other that nobody has asked for: alone, and beside a
 * neighbour with a trial key who asks the heaviest questions there are, ten a second as its plan allows. The service
 * ingests the simulated chain all along. `ratio` is the quiet one's p99 beside the neighbour over its p99 alone.
 *
 * `-- neighbour [swaps] [reads]`: a store of four million swaps and 500 reads in each phase of two rounds, unless it says otherwise;
 * `--short` for a small store and few reads: that checks that it works, and no figure of it means anything.
 */
interface Size {
  readonly swaps: number;
  /** The two phases take turns so often. */
  readonly rounds: number;
  /** Reads of the quiet customer in each phase of a round. */
  readonly reads: number;
  /** Tokens that the neighbour asks for. */
  readonly others: number;
  /** After so long a phase is over, whatever it has come to. */
  readonly maxSeconds: number;
}

/** At most: the quiet one's p99 beside the neighbour, in p99s alone. */
const BAR = 3;
const WHOLE: Size = { swaps: 4_000_000, rounds: 2, reads: 500, others: 5_000, maxSeconds: 240 };
const SHORT: Size = { swaps: 200_000, rounds: 1, reads: 24, others: 300, maxSeconds: 3 };
/** A slow machine comes to few reads in a few seconds, and gives some up. */
const SHORT_BOUNDS: QuietBounds = { reads: 1, answered: 0.5 };
/** Books are few, so that what was asked a while ago is read again. */
const BOOK_MEMORY = '16M';
/** Before the first phase: what is read at the start is read. */
const SETTLE_MS = 1_000;

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const [swaps = WHOLE.swaps, reads = WHOLE.reads] = words.map(Number);
  const size = short ? SHORT : { ...WHOLE, swaps, reads };
  const grown = await startOnGrownStore(size.swaps, BOOK_MEMORY);
  try {
    const { service, client } = grown;
    const neighbourKey = await signUp(service);
    const quietReads = 2 * size.rounds * size.reads;
    const tokens = await scatteredTokens(client, quietReads + size.others);
    const unasked = tokens.slice(0, quietReads).values();
    const others = tokens.slice(quietReads);
    const hot = await hottestToken(client);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const alone: Phase = { times: [], statuses: {} };
    const beside: Phase = { times: [], statuses: {} };
    const theirs: Phase = { times: [], statuses: {} };
    for (let round = 0; round < size.rounds; round += 1) {
      await askQuietly(service, unasked, size, alone);
      const asked = { tokens: others, hot, seed: round + 1 };
      const neighbour = startNeighbour({ service, key: neighbourKey, ...asked, phase: theirs });
      await askQuietly(service, unasked, size, beside);
      await neighbour.stop();
      // It takes minutes: whoever waits sees what there is.
      console.error(JSON.stringify({ round, ...figures(alone, beside, theirs) }));
    }
    const measured = figures(alone, beside, theirs);
    agreesWithItself(
      { alone, beside, theirs },
      short ? SHORT_BOUNDS : { reads: size.rounds * size.reads, answered: 0.99 },
    );
    return { bench: 'neighbour', ratio: measured.times, bar: BAR, ...measured, questions: QUIET_QUESTIONS.length };
  } finally {
    await grown.stop();
  }
}

function figures(alone: Phase, beside: Phase, theirs: Phase) {
  const [ofAlone, ofBeside] = [phaseFigures('alone', alone), phaseFigures('beside', beside)];
  const times = Number((ofBeside.beside_p99_ms! / ofAlone.alone_p99_ms!).toFixed(2));
  const statuses = { alone: alone.statuses, beside: beside.statuses, neighbour: theirs.statuses };
  return { times, ...ofAlone, ...ofBeside, ...phaseFigures('neighbour', theirs), statuses };
}
