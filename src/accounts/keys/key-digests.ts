import { hash as hashOf } from 'node:crypto';

/** Digests of keys: SHA-256 as text of 32 characters. */
export interface KeyDigests {
  /**
   * The digest of a text. Hashing takes longer than anything else that is done for a known key, and most connections
   * send one key all the time, so that each remembers the last one. Without a connection it is hashed.
   */
  of(text: string, connection: object | undefined): string;
}

/** A connection that changed its key so often is a proxy's, and remembers none from then on. */
const MAX_CHANGES = 8;

/** The last key of a connection. Kept no longer than the connection, which has just carried it. */
interface Sent {
  text: string;
  digest: string;
  changes: number;
}

export function createKeyDigests(digest: (text: string) => string = digestOf): KeyDigests {
  const sent = new WeakMap<object, Sent>();
  return {
    of(text, connection) {
      if (connection === undefined) return digest(text);
      const last = sent.get(connection);
      if (last === undefined) {
        const first = digest(text);
        sent.set(connection, { text, digest: first, changes: 0 });
        return first;
      }
      if (last.changes > MAX_CHANGES) return digest(text);
      if (isSame(last.text, text)) return last.digest;
      last.changes += 1;
      const isRemembered = last.changes <= MAX_CHANGES;
      const changed = digest(text);
      last.text = isRemembered ? text : '';
      last.digest = isRemembered ? changed : '';
      return changed;
    },
  };
}

export function digestOf(text: string): string {
  return hashOf('sha256', text, 'binary');
}

/** Takes as long wherever they differ: behind a proxy the two may be of different senders. */
function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
