/** Longest text of a fault that is shown to a person, in UTF-16 units; servers answer with whole queries. */
const MAX_LENGTH = 500;
/** Part of a longer text that is looked at. */
const MAX_READ = 2_000;
/** Up to the host: user, password, path and query are where providers put their keys. */
const ADDRESS = /\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s/?#'"]*@)?([^\s/?#@'"]*)[^\s'"]*/gi;
/** Letters with digits between them, longer than any word or figure: a key, a token, an address. */
const OPAQUE = /(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi;

/**
 * A text made of what others said, such as an error's message, fit to be shown to
 * anybody: one line, not long, and without what could be a credential.
 */
export function publicText(text: string): string {
  const line = readable(text).replace(ADDRESS, '$1://$2').replace(OPAQUE, '…').trim();
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH)}…`;
}

/** Cut between words: half a URL is not known for one. */
function readable(text: string): string {
  const line = text.slice(0, MAX_READ).replace(/\s+/g, ' ');
  return text.length <= MAX_READ ? line : `${line.slice(0, line.lastIndexOf(' ') + 1)}…`;
}
