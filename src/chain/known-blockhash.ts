/** 32 zero bytes: what nodes write in the place of a hash that they do not have. */
const NO_HASH = '1'.repeat(32);

/** A blockhash in base58; undefined when it stands for none. */
export function knownBlockhash(text: string): string | undefined {
  return text === '' || text === NO_HASH ? undefined : text;
}
