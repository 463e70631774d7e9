import type { LaunchAnswers } from '../../../src/books/launch-answers.ts';

export function launchDouble(): LaunchAnswers {
  return {};
}
