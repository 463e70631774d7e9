import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { LeaderAnswers } from './answers.ts';
import { getDistribution, getLeaders } from './contract.ts';

/** Who leads which slots. */
export function leaderRoutes(answers: LeaderAnswers): readonly BoundRoute[] {
  return [
    bind(getLeaders, (_params, { past, future }) => answers.schedule(past, future)),
    bind(getDistribution, (_params, { by }) => answers.distribution(by)),
  ];
}
