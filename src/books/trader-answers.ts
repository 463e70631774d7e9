import type { AnswerDeps } from './answers.ts';

export type TraderAnswers = Readonly<Record<never, never>>;

export function createTraderAnswers(_deps: AnswerDeps): TraderAnswers {
  return {};
}
