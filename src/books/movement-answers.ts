import type { AnswerDeps } from './answers.ts';

export type MovementAnswers = Readonly<Record<never, never>>;

export function createMovementAnswers(_deps: AnswerDeps): MovementAnswers {
  return {};
}
