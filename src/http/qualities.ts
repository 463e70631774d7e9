/**
 * Names in an Accept header, in lower case, with how much each is wanted: 0 for those that are refused, and for those
 * whose quality cannot be read. Of a name that is listed twice the higher counts.
 */
export function readQualities(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    qualities.set(name, Math.max(qualities.get(name) ?? 0, qualityOf(parameters)));
  }
  return qualities;
}

/** 1 when left out; what is no quality counts as none. */
function qualityOf(parameters: readonly string[]): number {
  const sent = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (sent === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(sent) ? Number(sent) : 0;
}
