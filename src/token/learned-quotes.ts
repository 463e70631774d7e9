import type { Address } from '../chain/address.ts';
import { EQUITIES, QUOTE_MINTS } from '../programs/registry/index.ts';
import { shownName } from './shown-name.ts';

/**
 * Symbols of quotes that no list names, as their mints' own metadata tell them. They are strangers' words: anybody makes
 * a token that says USDC and trades in it. So a symbol is taken that is plain letters and digits, and that cannot be
 * read as one that a list has given to another mint. Kept for the process, as the lists are: each row of an answer asks.
 */
const learned = new Map<Address, string>();

/** Quotes remembered. Everybody can make one. */
const MAX_LEARNED = 10_000;
const MAX_CHARS = 12;
/** Plain characters, so that no letter of another script looks like one. */
const PLAIN = new RegExp(`^[$]?[A-Za-z0-9][A-Za-z0-9.+_-]{0,${MAX_CHARS - 1}}$`);

/** A quote that was read from the chain. */
export interface ToldQuote {
  readonly mint: Address;
  readonly symbol: string;
}

/** Takes what is known of quotes now. Gives those whose symbol is another than before. */
export function learnQuotes(quotes: readonly ToldQuote[]): readonly Address[] {
  const changed: Address[] = [];
  for (const { mint, symbol } of quotes) {
    const taken = takenSymbol(symbol);
    if (taken === undefined || learned.get(mint) === taken || learned.size >= MAX_LEARNED) continue;
    learned.set(mint, taken);
    changed.push(mint);
  }
  return changed;
}

/** Symbol of a quote that no list names; undefined while none is known, or it is not to be trusted. */
export function learnedSymbol(mint: Address): string | undefined {
  return learned.get(mint);
}

/** A symbol as it is told; undefined of one that is no plain text, or could be taken for a listed one. */
export function takenSymbol(symbol: string): string | undefined {
  const shown = shownName(symbol).trim();
  return PLAIN.test(shown) && !LISTED.has(outlineOf(shown)) ? shown : undefined;
}

const LISTED: ReadonlySet<string> = new Set(
  ['SOL', 'WSOL', ...[...QUOTE_MINTS, ...EQUITIES].map(({ symbol }) => symbol)].map(outlineOf),
);

/** What is left of a symbol for the eye: case, signs, and digits that look like letters make no other one. */
function outlineOf(symbol: string): string {
  return symbol
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/0/g, 'O')
    .replace(/[1L]/g, 'I')
    .replace(/2/g, 'Z')
    .replace(/5/g, 'S')
    .replace(/6/g, 'G')
    .replace(/8/g, 'B');
}
