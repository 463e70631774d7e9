/** Texts that must not stand where they are looked for: whole, or any piece of them that is long enough to tell. */
export interface SecretSearch {
  add(secret: Secret): void;
  readonly count: number;
  /**
   * Returns the secret that stands in these bytes; undefined when none does. The secret itself is not repeated.
   * `ofDatabase` passes those that are kept.
   */
  find(bytes: Buffer, ofDatabase?: boolean): Found | undefined;
}

export interface Secret {
  readonly name: string;
  readonly text: string;
  /** Characters of its beginning that may be seen: the prefix of a key. 0 when left out. */
  readonly shown?: number;
  /** Lies in the database as it is: a nonce, which is worth nothing without a signature and deleted by who tries it. */
  readonly isKept?: boolean;
  /** Account id of whom it may be shown to. */
  readonly owner?: number;
}

export interface Found {
  readonly name: string;
  readonly owner: number | undefined;
  /** The bytes around it, with the piece itself blotted out. */
  readonly around: string;
}

/** Shorter pieces may stand anywhere by chance, longer ones would let half a secret pass. */
const PIECE = 12;
const SHOWN_AROUND = 80;

export function createSecretSearch(): SecretSearch {
  const pieces = new Map<string, Secret>();
  const texts = new Set<string>();
  return {
    add(secret) {
      const { text, shown = 0 } = secret;
      texts.add(text);
      for (let at = shown; at + PIECE <= text.length; at += 1) pieces.set(text.slice(at, at + PIECE), secret);
    },
    get count() {
      return texts.size;
    },
    find(bytes, ofDatabase = false) {
      const text = bytes.toString('latin1');
      for (let at = 0; at + PIECE <= text.length; at += 1) {
        const secret = pieces.get(text.slice(at, at + PIECE));
        if (secret !== undefined && !(ofDatabase && secret.isKept))
          return { name: secret.name, owner: secret.owner, around: blot(text, at) };
      }
      return undefined;
    },
  };
}

function blot(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - SHOWN_AROUND), at);
  return `${before}${'█'.repeat(PIECE)}${text.slice(at + PIECE, at + PIECE + SHOWN_AROUND)}`.replaceAll('\n', ' ');
}
