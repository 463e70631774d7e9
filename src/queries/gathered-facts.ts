import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { gatherReads } from './gather.ts';
import { readFactsOfMints } from './listed-tokens.ts';
import { readAttemptedMints } from './mints-attempted.ts';
import { readTokenFacts } from './token-facts.ts';
import { readTokenMetadata } from './token-metadata.ts';
import type { TokenFacts, TokenReads } from './token-reads.ts';

/** Tokens read at once: a few reads over all of them instead of a few for each. */
const MAX_TOGETHER = 100;

/** What is known of a token, read together with all others that are asked for in the same turn of the event loop. */
export function gatherTokenFacts(client: StoreClient): TokenReads['token'] {
  return gatherReads((mints, mark) => readTogether(client, mints, mark), MAX_TOGETHER);
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
