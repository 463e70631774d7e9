import { landingExample } from '../../../src/features/fee-market/contract-landing.ts';
import type { LandingAnswers } from '../../../src/features/fee-market/landing-answers.ts';

/** Conditions out of the example of the contract. */
export function landingDouble(): LandingAnswers {
  return { conditions: async () => Buffer.from(JSON.stringify(landingExample)) };
}
