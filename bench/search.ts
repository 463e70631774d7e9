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
 * better. A number behind the bench's name is that of the names. All times are the process's own. Besides: what names take, how long typos take, and for how long the event loop is held while names come.
 */
const BAR = 0.05;
const NAMES = { whole: 5_000_000, short: 20_000 };
const QUESTIONS = { whole: 2_000, short: 100 };
const TYPOS = { whole: 300, short: 20 };
const SCANS = { whole: 5, short: 3 };
const PAGE = 20;
const MEGABYTE = 1_000_000;
const SEED = 'search';

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const extent = short ? 'short' : 'whole';
  const random = createRandom(SEED);
  const names = new MadeUpNames(random);
  const filled = fill(names, Number(words[0] ?? NAMES[extent]));
  const { index } = filled;
  const prefixes = Array.from({ length: QUESTIONS[extent] }, () => prefixOf(names, random));
  const typed = Array.from({ length: TYPOS[extent] }, () => withTypo(longWord(names), random));
  const times = await timeSearches(index, [...prefixes, ...typed]);
  const { begin, typo } = times;
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
    slice_max_ms: rounded(Math.max(...filled.slices)),
    prefixes: begin.length,
    typos: typo.length,
    prefix_p50_ms: rounded(median(begin), 3),
    prefix_p99_ms: rounded(percentile(begin, 0.99), 3),
    typo_p50_ms: rounded(median(typo)),
    typo_p99_ms: rounded(percentile(typo, 0.99)),
    scan_p50_ms: rounded(median(scans)),
  };
}

interface Filled {
  readonly index: SearchIndex;
  /** Names and symbols, folded: what a scan goes through. */
  readonly folded: readonly string[];
  readonly ms: number;
  /** Milliseconds of work of each step, which nothing else of the thread comes between. */
  readonly slices: readonly number[];
}

function fill(names: MadeUpNames, count: number): Filled {
  const index = new SearchIndex(systemClock);
  const folded: string[] = [];
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
    folded.push(`${fold(token.symbol)}\n${fold(token.name)}`);
    if (!timed(() => index.add(token))) throw new Error(`there was room for ${slot} names only`);
    if (slot % 4_096 === 0) while (timed(() => index.work()));
  }
  while (timed(() => index.work()));
  return { index, folded, ms, slices: slices.filter((took) => took > 0.1) };
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
}

async function timeSearches(index: SearchIndex, texts: readonly string[]): Promise<SearchTimes> {
  const times = { begin: [] as number[], typo: [] as number[] };
  for (const text of texts) {
    const begun = cpuMs();
    const found = await index.search(readQuery(text), { limit: PAGE });
    const took = cpuMs() - begun;
    const isEnough = found.filter(({ match }) => !match.endsWith('typo') && !match.endsWith('typos')).length >= FEW;
    times[isEnough ? 'begin' : 'typo'].push(took);
  }
  return times;
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
