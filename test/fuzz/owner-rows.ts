import type { WireAnswer } from './answer-reader.ts';

/** A JSON object as it came. */
export type Body = Readonly<Record<string, unknown>>;

/** A stream as its owner knows it. */
export interface Stream {
  name: string;
  active: boolean;
  kinds: readonly string[];
  token: string;
}

export function bodyOf({ body }: WireAnswer): Body {
  return JSON.parse(body.toString()) as Body;
}

export function rows(answer: WireAnswer): readonly Body[] {
  return (bodyOf(answer).data ?? []) as readonly Body[];
}

export function toMembers({ members }: Body): Readonly<Record<string, unknown>> {
  return toObject((members as readonly Body[]).map(({ wallet, note }) => [wallet, note]));
}

/** With its fields in one order. */
export function toStream({ name, active, kinds, token }: Partial<Record<keyof Stream, unknown>>): Body {
  return { name, active, kinds, token };
}

/** In the order of the names, so that two of them are equal as texts; names of prototypes are names. */
export function toObject(entries: Iterable<readonly unknown[]>): Readonly<Record<string, unknown>> {
  const sorted = [...entries].map(([name, value]): [string, unknown] => [`.${String(name)}`, value]);
  return Object.fromEntries(sorted.sort(([one], [other]) => (one < other ? -1 : 1)));
}
