import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Benchmark, readOptions } from './run/benchmark.ts';
import { judgeFigures } from './run/judge-figures.ts';

// `npm run bench -- <name> [--short]`: ends with one line of JSON, or with exit code 1 and what is wrong.
const NOT_BENCHMARKS = ['run.ts'];
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !NOT_BENCHMARKS.includes(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const [name, ...words] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- <name> [--short]\nbenchmarks: ${names.join(', ')}`);
  process.exit(1);
}
const options = readOptions(words);
const date = new Date().toISOString().slice(0, 10);
const benchmark = (await import(`./${name}.ts`)) as Benchmark;
const figures = await benchmark.run(options);
judgeFigures(name, figures, { whole: options.words.length === 0 });
const machine = { node: process.versions.node, cores: availableParallelism() };
console.log(JSON.stringify({ ...figures, ...(options.short ? { short: true } : {}), date, ...machine }));
process.exit(0);
