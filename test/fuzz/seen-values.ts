import type { WireAnswer } from './answer-reader.ts';
import type { Material } from './request-maker.ts';

/** Values that answers have shown, which later requests are made of. */
export interface SeenValues {
  readonly material: Material;
  take(answer: WireAnswer): void;
}

/** Of each kind; the oldest goes first. */
const MAX_SEEN = 200;
/** Read of a body: what a page begins with is enough. */
const READ_CHARACTERS = 20_000;
/** Bodies that are looked at: looking costs more than making. */
const LOOKED_AT_SHARE = 20;

export function createSeenValues(wallets: readonly string[], ids: readonly string[]): SeenValues {
  const material = {
    mints: [] as string[],
    wallets: [...wallets],
    cursors: [] as string[],
    ids: [...ids],
    etags: [] as string[],
  };
  let answers = 0;

  function keep(list: string[], text: string | undefined): void {
    if (text === undefined || list.includes(text)) return;
    list.push(text);
    if (list.length > MAX_SEEN) list.shift();
  }

  return {
    material,
    take({ status, headers, body }) {
      if (status >= 300) return;
      keep(material.etags, headers.get('etag')?.[0]);
      answers += 1;
      const hasFew = material.mints.length < MAX_SEEN / 4;
      if (!hasFew && answers % LOOKED_AT_SHARE !== 0) return;
      const text = body.toString('utf8', 0, READ_CHARACTERS);
      for (const [, mint] of text.matchAll(/"mint":"(\w{32,44})"/g)) keep(material.mints, mint);
      for (const [, wallet] of text.matchAll(/"(?:trader|wallet|creator)":"(\w{32,44})"/g))
        keep(material.wallets, wallet);
      for (const [, cursor] of body.toString().matchAll(/"(?:next_cursor|older|newer)":"([^"]+)"/g))
        keep(material.cursors, cursor);
      for (const [, id] of text.matchAll(/"(?:id|wallet_list_id)":"?([\w-]{1,64})"?/g)) keep(material.ids, id);
    },
  };
}
