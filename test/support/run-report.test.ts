import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { createRunReporter } from './run-report.ts';

const file = (relativeModuleId: string, seconds: number) => {
  const times = { setupDuration: 100, collectDuration: 400, duration: seconds * 1_000 - 500 };
  return { relativeModuleId, diagnostic: () => times, children: { allTests: () => [] } } as unknown as TestModule;
};

function reportOf(files: readonly TestModule[], reason: 'passed' | 'failed', errors: readonly Error[] = []): string {
  let written = '';
  const reporter = createRunReporter('42', (text) => {
    written += text;
  });
  void reporter.onTestRunEnd(files, errors as never, reason);
  return written;
}

describe('the report behind a run of tests', () => {
  it('names the ten slowest files with their seconds, slowest first', () => {
    const files = Array.from({ length: 12 }, (_, i) => file(`src/${i}.test.ts`, i + 1));
    const lines = reportOf(files, 'passed').trim().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[1]).toBe('   12.0 s  src/11.test.ts');
    expect(lines.at(-1)).toBe('    3.0 s  src/2.test.ts');
  });

  it('says the seed that repeats a run that failed, in its tests or outside of them, and of no other', () => {
    const seed = 'MINTSCOPE_TEST_SEED=42';
    const one = [file('src/a.test.ts', 1)];
    expect(reportOf(one, 'failed')).toContain(seed);
    expect(reportOf(one, 'passed', [new Error('outside')])).toContain(seed);
    expect(reportOf(one, 'passed')).toBe('');
  });
});
