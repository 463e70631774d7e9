import { gatherReads } from '../books/gather.ts';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import { hasCards } from './card-reads.ts';
import type { TokenFacts } from './facts.ts';
import { readTokenFacts } from './facts-reads.ts';
import { readTokenMetadata } from './metadata-reads.ts';
import { readFactsOfMints } from './mint-facts-reads.ts';
import { readTraces } from './trace-reads.ts';

/** Tokens read at once: a read of 64 takes the store about three times as long as one of one. */
const TOGETHER = { together: 64, waitMs: 5 };

/**
 * The question what is known of a token. `mark` is the newest slot the store answers
 * for: nothing past it is read, because a flush under way may have written only half of it.
 */
export interface TokenReads {
  token(mint: Address, mark: number): Promise<TokenFacts>;
}

/** Reads a token's facts, together with those of all others that wait to be read. */
export function createTokenReads(client: StoreClient): TokenReads {
  return { token: gatherReads((mints, mark) => readTogether(client, mints, mark), TOGETHER) };
}

async function readTogether(
  client: StoreClient,
  mints: readonly Address[],
  mark: number,
): Promise<readonly TokenFacts[]> {
  const facts = await readFacts(client, mints, mark);
  const unseen = mints.filter((_, place) => isUnseen(facts[place]!));
  const traces = await readTraces(client, unseen, mark);
  return facts.map((each, place) => {
    const found = traces.get(mints[place]!);
    return found === undefined ? each : { ...each, traces: found };
  });
}

/** Of such a mint alone it is worth asking what else there is: one that only graduated may lack its decimals. */
function isUnseen({ creation, lastSwap }: TokenFacts): boolean {
  return creation === undefined && lastSwap === undefined;
}

async function readFacts(client: StoreClient, mints: readonly Address[], mark: number): Promise<readonly TokenFacts[]> {
  const [only] = mints;
  const isAlone = only !== undefined && mints.length === 1;
  if (isAlone && !(await hasCards(client))) return [await readTokenFacts(client, only, mark)];
  const [facts, documents] = await Promise.all([
    readFactsOfMints(client, mints, mark),
    readTokenMetadata(client, mints),
  ]);
  return mints.map((mint, place) => withDocument(facts[place]!, documents.get(mint)));
}

function withDocument(facts: TokenFacts, metadata: TokenMetadataRow | undefined): TokenFacts {
  return metadata?.state === 'stored' ? { ...facts, metadata, image: metadata.image } : facts;
}
