import type { AnswerDeps } from './answers.ts';

export type LaunchAnswers = Readonly<Record<never, never>>;

export function createLaunchAnswers(_deps: AnswerDeps): LaunchAnswers {
  return {};
}
