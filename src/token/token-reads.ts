import { gatherReads } from '../books/gather.ts';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { readAttemptedMints } from './attempted-reads.ts';
import type { TokenFacts } from './facts.ts';
import { readTokenFacts } from './facts-reads.ts';
import { readTokenMetadata } from './metadata-reads.ts';
import { readFactsOfMints } from './mint-facts-reads.ts';

/** Tokens read at once: a few reads over all of them instead of a few for each. */
const MAX_TOGETHER = 100;

/**
 * The question what is known of a token. `mark` is the newest slot the store answers
 * for: nothing past it is read, because a flush under way may have written only half of it.
 */
export interface TokenReads {
  token(mint: Address, mark: number): Promise<TokenFacts>;
}

/** Reads a token's facts, together with those of all others that are asked for in the same turn of the event loop. */
export function createTokenReads(client: StoreClient): TokenReads {
  return { token: gatherReads((mints, mark) => readTogether(client, mints, mark), MAX_TOGETHER) };
}

async function readTogether(
  client: StoreClient,
  mints: readonly Address[],
  mark: number,
): Promise<readonly TokenFacts[]> {
  const [only] = mints;
  const facts =
    only !== undefined && mints.length === 1
      ? [await readTokenFacts(client, only, mark)]
      : await readFactsAndDocuments(client, mints, mark);
  const unseen = mints.filter((_, place) => isUnseen(facts[place]!));
  const attempted = await readAttemptedMints(client, unseen, mark);
  return facts.map((each, place) => (attempted.has(mints[place]!) ? { ...each, attempted: true } : each));
}

/** Of such a mint alone it is worth asking whether trades were tried. */
function isUnseen({ creation, graduation, lastSwap }: TokenFacts): boolean {
  return creation === undefined && graduation === undefined && lastSwap === undefined;
}

async function readFactsAndDocuments(
  client: StoreClient,
  mints: readonly Address[],
  mark: number,
): Promise<readonly TokenFacts[]> {
  const [facts, documents] = await Promise.all([
    readFactsOfMints(client, mints, mark),
    readTokenMetadata(client, mints),
  ]);
  return mints.map((mint, place) => {
    const metadata = documents.get(mint);
    return { ...facts[place]!, ...(metadata?.state === 'stored' ? { metadata, image: metadata.image } : {}) };
  });
}
