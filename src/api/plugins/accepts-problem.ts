export const PROBLEM_TYPE = 'application/problem+json';
const JSON_TYPE = 'application/json';

/**
 * Whether an Accept header asks for errors as RFC 9457: it names that type, and
 * does not like plain JSON better. A star names nothing.
 */
export function acceptsProblem(accept: string | undefined): boolean {
  // Most clients say nothing of it.
  if (accept === undefined || !/problem/i.test(accept)) return false;
  const qualities = new Map<string, number>();
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    qualities.set(type, Math.max(qualities.get(type) ?? 0, qualityOf(parameters)));
  }
  const quality = qualities.get(PROBLEM_TYPE) ?? 0;
  return quality > 0 && quality >= (qualities.get(JSON_TYPE) ?? 0);
}

/** 1 when left out; what is no quality counts as none. */
function qualityOf(parameters: readonly string[]): number {
  const sent = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (sent === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(sent) ? Number(sent) : 0;
}
