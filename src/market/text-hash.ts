/**
 * 32 bits of a text. Without the seed nobody can choose texts that fall together: the high bits of what is known so far are
 * mixed into the low ones with every character, or the low bits of the seed alone would decide which do.
 */
export function textHash(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
