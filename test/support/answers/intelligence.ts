import type { IntelligenceAnswers } from '../../../src/books/intelligence-answers.ts';

export function intelligenceDouble(): IntelligenceAnswers {
  return {};
}
