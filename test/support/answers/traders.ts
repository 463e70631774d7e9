import type { TraderAnswers } from '../../../src/books/trader-answers.ts';

export function tradersDouble(): TraderAnswers {
  return {};
}
