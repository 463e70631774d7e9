import { coinNumber, coinPost, coinProfile, FIRST_COPY } from './coin-profile.ts';
import { copyOf, copyPost, copyProfile } from './copy-profile.ts';

/** Answers for a token's URI as a host would: the body, whatever it is worth; undefined when it has none. */
export type MetadataTransport = (uri: string) => string | undefined;

/**
 * The off-chain documents of a simulated chain's coins, without a network: by
 * the chain's seed, the same document for the same URI always. About a fifth
 * of the coins have a thin, damaged or missing one.
 */
export function createMetadataTransport(seed: string): MetadataTransport {
  return (uri) => {
    const number = coinNumber(uri);
    if (number === undefined) return undefined;
    const copy = number < FIRST_COPY ? undefined : copyOf(number);
    const profile = copy === undefined ? coinProfile(seed, number) : copyProfile(seed, copy);
    if (profile.uri !== uri) return undefined;
    const { document, name, symbol } = profile;
    if (document === 'gone' || document === 'none') return undefined;
    if (document === 'broken') return `{"name":"${name}","symbol":`;
    if (document === 'sparse') return JSON.stringify({ name, symbol });
    const handle = symbol.toLowerCase();
    return JSON.stringify({
      name,
      symbol,
      description: `${name} exists only in a simulation.`,
      image: uri.replace(/.{8}$/, 'imageaaa'),
      showName: true,
      createdOn: 'https://pump.fun',
      twitter: (copy === undefined ? coinPost(seed, number) : copyPost(seed, copy)) ?? `https://x.com/${handle}`,
      ...(number % 2 === 0 ? { website: `https://${handle}.example` } : {}),
      ...(number % 5 === 0 ? { telegram: `https://t.me/${handle}` } : {}),
    });
  };
}
