import type { Reporter, TestModule, Vite } from 'vitest/node';
import type { PropertyCounts } from './many-histories.ts';

const SLOWEST_FILES = 10;

/**
 * Vitest's plugin that ends each run with its slowest files and, when something
 * failed, the seed that repeats it: beside every reporter that the command line may name.
 */
export function runReport(seed: string): Vite.Plugin {
  return {
    name: 'run-report',
    configureVitest({ vitest }) {
      // Another reporter may write JSON to stdout, so this one takes stderr.
      vitest.config.reporters.push(createRunReporter(seed, (text) => process.stderr.write(text)) as never);
    },
  };
}

export function createRunReporter(
  seed: string,
  write: (text: string) => unknown,
): Required<Pick<Reporter, 'onTestRunEnd'>> {
  return {
    onTestRunEnd(files, errors, reason) {
      const lines = files.length > 1 ? slowestFiles(files) : [];
      const { properties, histories } = countHistories(files);
      if (properties > 0) lines.push('', `${properties} properties, ${histories} histories`);
      if (reason === 'failed' || errors.length > 0) lines.push('', `Seed of the run: MINTSCOPE_TEST_SEED=${seed}`);
      if (lines.length > 0) write(`${lines.join('\n')}\n\n`);
    },
  };
}

function slowestFiles(files: readonly TestModule[]): string[] {
  const times = files.map((file) => ({ path: file.relativeModuleId, seconds: secondsOf(file) }));
  const slowest = times.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
  return ['', 'Slowest files:', ...slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`)];
}

/** Of its tests, and of reading it. */
function secondsOf(file: TestModule): number {
  const { setupDuration, collectDuration, duration } = file.diagnostic();
  return (setupDuration + collectDuration + duration) / 1_000;
}

/** Nothing in a run that has no more histories than its properties name. */
function countHistories(files: readonly TestModule[]): PropertyCounts {
  let [properties, histories] = [0, 0];
  for (const file of files) {
    for (const test of file.children.allTests()) {
      properties += test.meta().ran?.properties ?? 0;
      histories += test.meta().ran?.histories ?? 0;
    }
  }
  return { properties, histories };
}
