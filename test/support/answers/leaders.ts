import type { LeaderAnswers } from '../../../src/features/leaders/answers.ts';
import { distributionExample, scheduleExample } from '../../../src/features/leaders/contract.ts';

/** Who leads which slots, as the documentation has it. */
export function leadersDouble(): LeaderAnswers {
  return {
    schedule: () => Buffer.from(JSON.stringify(scheduleExample)),
    distribution: () => Buffer.from(JSON.stringify(distributionExample)),
  };
}
