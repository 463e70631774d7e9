import fc from 'fast-check';
import { afterEach, beforeEach, expect } from 'vitest';
import { type PropertyCounts, takeCounts } from './many-histories.ts';
import { drawFrom, streamOf, TEST_SEED } from './random.ts';

/**
 * Vitest's setup of each file: its properties have the run's seed, and what it draws
 * while it is read, and in its hooks, comes from a stream of the file.
 */
const ofFile = streamOf(relativePath(expect.getState().testPath ?? ''));
fc.configureGlobal({ seed: TEST_SEED });
drawFrom(ofFile);

beforeEach(({ task }) => {
  // Ids are made of the file and the test's place in it, whichever tests of it are asked for.
  drawFrom(streamOf(task.id));
});
afterEach(({ task }) => {
  drawFrom(ofFile);
  task.meta.ran = takeCounts();
});

declare module 'vitest' {
  interface TaskMeta {
    /** Properties of the test, in a run that has many times their histories. */
    ran?: PropertyCounts;
  }
}

/** The same in every folder that the repository may lie in. */
function relativePath(path: string): string {
  return path.startsWith(process.cwd()) ? path.slice(process.cwd().length) : path;
}
