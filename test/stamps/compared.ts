/** Sizes, loads, and counts that the engine takes before it has merged its rows. */
const OF_THE_MACHINE = [
  ...['db_size', 'compressed_bytes', 'uncompressed_bytes', 'chunks', 'tables', 'server', 'ingest', 'positions'],
  // A pack's parts are of slots of their own, and are compared each for itself.
  ...['parts', 'slots'],
];

/** What of an answer is held against another of the same slot. */
export function comparable(body: unknown): string {
  // A refusal names its request.
  if (isRefusal(body)) return body.error.code;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const compared = Object.fromEntries(Object.entries(body).filter(([name]) => !OF_THE_MACHINE.includes(name)));
  // When an answer was made, to the millisecond, is told by a clock that ticks meanwhile.
  const isOutside = (name: string) => name === 'updated_at' || name.endsWith('_usd');
  return JSON.stringify(compared, (name, value) => (isOutside(name) ? undefined : value));
}

function isRefusal(body: unknown): body is { readonly error: { readonly code: string } } {
  return typeof body === 'object' && body !== null && 'error' in body;
}

/** Characters that are told of an answer before the first difference, and from it on. */
const TOLD = { before: 250, behind: 350 };

/** Two texts around the place where they begin to differ. */
export function difference(told: string, known: string): string {
  let at = 0;
  while (at < told.length && told[at] === known[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - TOLD.before), at + TOLD.behind);
  return `from character ${at} on\nit told …${around(told)}\nknown is …${around(known)}`;
}
