import { systemClock } from '../src/kernel/clock.ts';
import { fold } from '../src/search/fold.ts';
import { readQuery } from '../src/search/query.ts';
import { DEFAULT_SEARCH_LIMITS, FEW, SearchIndex } from '../src/search/search-index.ts';
import { createRandom, type Random } from '../src/simulator/random.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, percentile, rounded } from './run/statistics.ts';
import { MadeUpNames, withTypo } from './search/made-up-names.ts';

/**
 * Names searched in memory against a scan of the same names, folded once, which looks for what begins with the text and
 * keeps the twenty best. `ratio` is the 99th percentile of searches by a beginning over the median of scans; lower is
 * better. A number behind the bench's name is that of the names. All times are the process's own. Besides: what names take, how
 * long typos take, for how long the event loop is held while names come and while typos are looked for, and what the
 * trades of a block take.
 */
const BAR = 0.05;
const NAMES = { whole: 5_000_000, short: 20_000 };
const WORDS = { whole: 400_000, short: 20_000 };
const QUESTIONS = { whole: 2_000, short: 100 };
const TYPOS = { whole: 300, short: 20 };
const SCANS = { whole: 5, short: 3 };
const BLOCKS = { whole: 200, short: 20 };
/** Tokens that a block trades, and those of them that it moves to another rank. */
const TRADED = 300;
const MOVED = 30;
/** One of so many mints is traded in the bench's blocks: none of them is remembered from the block before. */
const SAMPLE = 16;
const PAGE = 20;
const MEGABYTE = 1_000_000;
const SEED = 'search';

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const extent = short ? 'short' : 'whole';
  const random = createRandom(SEED);
  const names = new MadeUpNames(random, WORDS[extent]);
  const filled = fill(names, Number(words[0] ?? NAMES[extent]));
  const { index } = filled;
  const prefixes = Array.from({ length: QUESTIONS[extent] }, () => prefixOf(names, random));
  const typed = Array.from({ length: TYPOS[extent] }, () => withTypo(longWord(names), random));
  const { begin, typo, holds } = await timeSearches(index, [...prefixes, ...typed]);
  const blocks = Array.from({ length: BLOCKS[extent] }, () => timeBlock(filled, random));
  const scans = prefixes.slice(0, SCANS[extent]).map((text) => timeOf(() => scan(filled.folded, text)));
  return {
    bench: 'search',
    ratio: rounded(percentile(begin, 0.99) / median(scans), 6),
    bar: BAR,
    names: index.size,
    bytes_mb: Math.round(index.bytes / MEGABYTE),
    limit_mb: DEFAULT_SEARCH_LIMITS.bytes / MEGABYTE,
    fill_s: rounded(filled.ms / 1000, 1),
    slice_p99_ms: rounded(percentile(filled.slices, 0.99)),
    slice_max_ms: rounded(greatest(filled.slices)),
    prefixes: begin.length,
    typos: typo.length,
    prefix_p50_ms: rounded(median(begin), 3),
    prefix_p99_ms: rounded(percentile(begin, 0.99), 3),
    typo_p50_ms: rounded(median(typo)),
    typo_p99_ms: rounded(percentile(typo, 0.99)),
    typo_hold_p99_ms: rounded(percentile(holds, 0.99)),
    typo_hold_max_ms: rounded(greatest(holds)),
    block_p50_ms: rounded(median(blocks)),
    block_p99_ms: rounded(percentile(blocks, 0.99)),
    scan_p50_ms: rounded(median(scans)),
  };
}

/** Of any number of values: more than a call has room for. */
function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

interface Filled {
  readonly index: SearchIndex;
  /** Some of the mints, of every age. */
  readonly mints: readonly string[];
  /** Names and symbols, folded: what a scan goes through. */
  readonly folded: readonly string[];
  readonly ms: number;
  /** Milliseconds of work of each step, which nothing else of the thread comes between. */
  readonly slices: readonly number[];
}

function fill(names: MadeUpNames, count: number): Filled {
  const index = new SearchIndex(systemClock);
  const folded: string[] = [];
  const mints: string[] = [];
  const slices: number[] = [];
  let ms = 0;
  const timed = <T>(step: () => T): T => {
    const begun = cpuMs();
    const done = step();
    const took = cpuMs() - begun;
    ms += took;
    slices.push(took);
    return done;
  };
  for (let slot = 1; slot <= count; slot += 1) {
    const token = names.token(slot);
    if (slot % SAMPLE === 0) mints.push(token.mint);
    folded.push(`${fold(token.symbol)}\n${fold(token.name)}`);
    if (!timed(() => index.add(token))) throw new Error(`there was room for ${slot} names only`);
    if (slot % 4_096 === 0) while (timed(() => index.work()));
  }
  while (timed(() => index.work()));
  return { index, mints, folded, ms, slices: slices.filter((took) => took > 0.1) };
}

/** Two letters to a whole name, as they are typed. */
function prefixOf(names: MadeUpNames, random: Random): string {
  const text = names.token(0).name;
  return text.slice(0, Math.max(2, random.between(2, text.length)));
}

function longWord(names: MadeUpNames): string {
  for (;;) {
    const word = names.word();
    if (word.length >= 6) return word;
  }
}

/** Milliseconds for which this process has worked: what others do meanwhile on the same cores does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface SearchTimes {
  /** Milliseconds of searches that found enough without typos, and of all others. */
  readonly begin: readonly number[];
  readonly typo: readonly number[];
  /** Milliseconds of work between turns of the event loop while typos were looked for. */
  readonly holds: readonly number[];
}

async function timeSearches(index: SearchIndex, texts: readonly string[]): Promise<SearchTimes> {
  const times = { begin: [] as number[], typo: [] as number[], holds: [] as number[] };
  for (const text of texts) {
    const turns = watchTurns();
    const begun = cpuMs();
    const found = await index.search(readQuery(text), { limit: PAGE });
    const took = cpuMs() - begun;
    const holds = turns.end();
    const isEnough = found.filter(({ match }) => !match.endsWith('typo') && !match.endsWith('typos')).length >= FEW;
    times[isEnough ? 'begin' : 'typo'].push(took);
    if (!isEnough) times.holds.push(...holds);
  }
  return times;
}

/** Milliseconds that a block's trades take: most tokens keep their rank, some get another. */
function timeBlock({ index, mints }: Filled, random: Random): number {
  const traded = Array.from({ length: TRADED }, () => random.pick(mints));
  return timeOf(() => {
    for (const [at, mint] of traded.entries()) {
      const { market } = index.rank(mint)!;
      if (at < MOVED) index.setMarket(mint, market === 0 ? 1 : market - 1);
    }
  });
}

/** Follows the turns of the event loop. `end` tells how long each was held. */
function watchTurns(): { readonly end: () => readonly number[] } {
  const holds: number[] = [];
  let last = cpuMs();
  const turn = () => {
    const now = cpuMs();
    holds.push(now - last);
    last = now;
    again = setImmediate(turn);
  };
  let again = setImmediate(turn);
  return {
    end() {
      clearImmediate(again);
      return [...holds, cpuMs() - last];
    },
  };
}

function timeOf(work: () => unknown): number {
  const begun = cpuMs();
  work();
  return cpuMs() - begun;
}

/** Twenty of those that a text begins, or a word of, out of all of them: without an order, which would cost it more. */
function scan(folded: readonly string[], text: string): readonly string[] {
  const wanted = fold(text);
  const found: string[] = [];
  for (const each of folded) {
    const at = each.indexOf(wanted);
    if (at < 0 || (at > 0 && each[at - 1] !== ' ' && each[at - 1] !== '\n')) continue;
    if (found.length < PAGE) found.push(each);
  }
  return found;
}
