import type { Reporter, TestModule, Vite } from 'vitest/node';

const SLOWEST_FILES = 10;

/**
 * Vitest's plugin that ends each run with its slowest files and, when something
 * failed, the seed that repeats it: beside every reporter that the command line may name.
 */
export function runReport(seed: string): Vite.Plugin {
  return {
    name: 'run-report',
    configureVitest({ vitest }) {
      // What another reporter writes to stdout may be JSON.
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
