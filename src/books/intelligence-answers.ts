import type { AnswerDeps } from './answers.ts';

export type IntelligenceAnswers = Readonly<Record<never, never>>;

export function createIntelligenceAnswers(_deps: AnswerDeps): IntelligenceAnswers {
  return {};
}
