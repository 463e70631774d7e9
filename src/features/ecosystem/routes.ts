import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { EcosystemAnswers } from './answers.ts';
import { ecosystem } from './contract.ts';
import { historyRoute } from './contract-history.ts';

const SECOND_MS = 1_000;

/** All tokens together, now and over time. */
export function ecosystemRoutes(answers: EcosystemAnswers): readonly BoundRoute[] {
  return [
    bind(ecosystem, (_params, { window }) => answers.report(window)),
    bind(historyRoute, (_params, { metric, step, from, to }) =>
      answers.history({
        ...{ metric, step },
        from: from === undefined ? undefined : Math.floor(from / SECOND_MS),
        to: to === undefined ? undefined : Math.ceil(to / SECOND_MS),
      }),
    ),
  ];
}
