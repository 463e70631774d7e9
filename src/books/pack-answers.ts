import type { AnswerDeps } from './answers.ts';

export type PackAnswers = Readonly<Record<never, never>>;

export function createPackAnswers(_deps: AnswerDeps): PackAnswers {
  return {};
}
