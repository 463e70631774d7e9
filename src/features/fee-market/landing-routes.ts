import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { landingConditions } from './contract-landing.ts';
import type { LandingAnswers } from './landing-answers.ts';

/** What it takes to land. */
export function landingRoutes(answers: LandingAnswers): readonly BoundRoute[] {
  return [bind(landingConditions, (_params, { window, venue }) => answers.conditions(window, venue))];
}
