import type { MovementAnswers } from '../../../src/books/movement-answers.ts';

export function movementsDouble(): MovementAnswers {
  return {};
}
