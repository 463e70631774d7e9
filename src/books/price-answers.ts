import type { AnswerDeps } from './answers.ts';

export type PriceAnswers = Readonly<Record<never, never>>;

export function createPriceAnswers(_deps: AnswerDeps): PriceAnswers {
  return {};
}
