import { readdirSync } from 'node:fs';

/** Every benchmark is a file beside this one that exports `run`. */
interface Benchmark {
  /** Measures and returns the line to print: `bench`, `ratio`, `bar`, and figures with units in their names. */
  run(): Promise<Readonly<Record<string, unknown>>>;
}

const NOT_BENCHMARKS = ['run.ts'];
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !NOT_BENCHMARKS.includes(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const name = process.argv[2];
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- <name>\nbenchmarks: ${names.join(', ')}`);
  process.exit(1);
}
const benchmark = (await import(`./${name}.ts`)) as Benchmark;
console.log(JSON.stringify(await benchmark.run()));
process.exit(0);
