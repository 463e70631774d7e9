/** Options that a benchmark was asked for with. */
export interface BenchmarkOptions {
  /** `--short`: few and small rounds, which show that it works. Its times mean nothing. */
  readonly short: boolean;
  /** Other words behind the name. */
  readonly words: readonly string[];
}

/** Numbers with their units in their names, and what they were measured of. */
export type Figures = Readonly<Record<string, unknown>>;

/** Every file beside `run.ts` is one. */
export interface Benchmark {
  /**
   * Measures and returns the line to print: `bench`, `ratio`, `bar`, and figures. Throws when a request was refused,
   * or when what it measured contradicts itself.
   */
  run(options: BenchmarkOptions): Promise<Figures>;
}

const SHORT = '--short';

/** Options out of what stands behind the name on the command line. */
export function readOptions(words: readonly string[]): BenchmarkOptions {
  return { short: words.includes(SHORT), words: words.filter((word) => word !== SHORT) };
}
