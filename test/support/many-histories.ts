import fc from 'fast-check';

/** As fast-check has it for a property that names no number. */
const DEFAULT_RUNS = 100;

/** Properties that ran, and their histories. */
export interface PropertyCounts {
  readonly properties: number;
  readonly histories: number;
}

let properties = 0;
let histories = 0;

/** Takes the counts since the last call. */
export function takeCounts(): PropertyCounts {
  const counts = { properties, histories };
  properties = 0;
  histories = 0;
  return counts;
}

const counting: fc.Plugin<unknown> = () => ({
  onAllRunsComplete({ numRuns }) {
    properties += 1;
    histories += numRuns;
  },
});

/** fast-check whose `assert` runs so many times the histories that a property has: those of the call, or the default. */
export function manyHistories(times: number): typeof fc {
  const assert = (property: fc.IRawProperty<unknown>, params: fc.Parameters<unknown> = {}) => {
    const own = params.numRuns ?? fc.readConfigureGlobal().numRuns ?? DEFAULT_RUNS;
    // A counterexample that is given by its path is one history.
    const numRuns = params.path === undefined ? times * own : own;
    return fc.assert(property, { ...params, numRuns, plugins: [...(params.plugins ?? []), counting] });
  };
  return { ...fc, assert: assert as typeof fc.assert };
}

/**
 * The module that tests import as `fast-check` when `MINTSCOPE_TEST_HISTORIES` says how many times
 * (`vitest.config.ts`).
 */
export default manyHistories(Number(process.env.MINTSCOPE_TEST_HISTORIES ?? 1));
