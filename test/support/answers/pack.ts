import type { PackAnswers } from '../../../src/books/pack-answers.ts';

export function packDouble(): PackAnswers {
  return {};
}
