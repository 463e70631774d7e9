import { describe, expect, it } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { createCollector } from '../../src/metadata/collector.ts';
import { createSimulatedDocuments } from '../../src/metadata/documents.ts';
import { DEFAULT_GATEWAYS } from '../../src/metadata/gateways.ts';
import { coinProfile } from '../../src/simulator/coin-profile.ts';
import { createMetadataTransport } from '../../src/simulator/metadata-transport.ts';
import type { TokenMetadataRow } from '../../src/store/clickhouse/schema/background-tables.ts';
import { documentFields } from '../../src/token/metadata-reads.ts';
import { createHandClock } from '../support/hand-clock.ts';

const SEEDS = ['documents', 'documents-2'];
const COINS = 300;

describe('the documents of a simulated chain', () => {
  it('are told whole where they are whole, and are none where they are not', async () => {
    const kinds = new Set<string>();
    for (const seed of SEEDS) {
      const transport = createMetadataTransport(seed);
      const clock = createHandClock();
      const rows = new Map<Address | '', TokenMetadataRow>();
      const collector = createCollector({
        documents: createSimulatedDocuments(transport, DEFAULT_GATEWAYS),
        clock,
        note: (row) => rows.set(row.mint, row),
      });
      const stop = new AbortController();
      const done = collector.run(stop.signal);
      const coins = Array.from({ length: COINS }, (_, number) => ({
        ...coinProfile(seed, number),
        mint: `coin ${number}` as Address,
      }));
      for (const { mint, uri } of coins) collector.want({ mint, uri, tries: 0 });
      // The last try of a document that is not there.
      await clock.advance(300_000);
      for (const { mint, uri, document } of coins) {
        kinds.add(document);
        expect([document, told(rows.get(mint)!)]).toEqual([document, expected(document, uri, transport)]);
      }
      stop.abort();
      await done;
    }
    expect([...kinds].sort()).toEqual(['broken', 'full', 'gone', 'none', 'sparse']);
  });
});

function told(row: TokenMetadataRow): unknown {
  return row.state === 'stored' ? JSON.parse(JSON.stringify(documentFields(row))) : [row.state, row.outcome];
}

function expected(kind: string, uri: string, transport: (uri: string) => string | undefined): unknown {
  if (kind === 'none') return ['none', 'no_uri'];
  if (kind === 'gone') return ['none', 'gone'];
  if (kind === 'broken') return ['none', 'unusable'];
  const document = JSON.parse(transport(uri)!);
  const { image, twitter, website, telegram, description } = document;
  return JSON.parse(
    JSON.stringify({
      image,
      twitter,
      website: website === undefined ? undefined : `${website}/`,
      telegram,
      description,
    }),
  );
}
