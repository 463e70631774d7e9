import { readQualities } from './qualities.ts';

export const PROBLEM_TYPE = 'application/problem+json';
const JSON_TYPE = 'application/json';

/**
 * True when an Accept header asks for errors as RFC 9457: it names that type, and does not like plain JSON better. A
 * star names nothing.
 */
export function acceptsProblem(accept: string | undefined): boolean {
  // Most clients say nothing of it.
  if (accept === undefined || !/problem/i.test(accept)) return false;
  const qualities = readQualities(accept);
  const quality = qualities.get(PROBLEM_TYPE) ?? 0;
  return quality > 0 && quality >= (qualities.get(JSON_TYPE) ?? 0);
}
