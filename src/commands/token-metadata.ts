import type { Config } from '../config.ts';
import type { InProcessFeed } from '../feed/in-process.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { chooseGateways, type Gateways } from '../metadata/gateways.ts';
import {
  type Metadata,
  NOTHING_OUTSIDE,
  networkOutside,
  type Outside,
  openMetadata,
  simulatedOutside,
} from '../metadata/metadata.ts';
import { createMetadataTransport } from '../simulator/metadata-transport.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';

export interface TokenMetadataDeps {
  readonly client: StoreClient;
  readonly feed: InProcessFeed;
  readonly clock: Clock;
  readonly log: Logger;
  /** The newest slot that the store had when ingest began, 0 for none: a simulated chain goes on behind it. */
  readonly startedBehind: number;
}

/** Starts to read the documents of tokens, as it is configured. */
export function startTokenMetadata(config: Config, deps: TokenMetadataDeps): Metadata {
  const { feed, startedBehind } = deps;
  const gateways = chooseGateways(config.ipfsGateways);
  return openMetadata({
    ...deps,
    gateways,
    learnt: (mints) => feed.described(mints),
    outside: outsideOf(config, gateways, startedBehind),
  });
}

function outsideOf({ metadata, source, simulatorSeed }: Config, gateways: Gateways, startedBehind: number): Outside {
  if (!metadata) return NOTHING_OUTSIDE;
  if (source !== 'simulator') return networkOutside(gateways);
  // Every start is an epoch of its own, with other coins.
  const seeds = [String(simulatorSeed), `${simulatorSeed}@${startedBehind + 1}`];
  const transports = seeds.map(createMetadataTransport);
  const transport = (uri: string) => {
    for (const ask of transports) {
      const body = ask(uri);
      if (body !== undefined) return body;
    }
    return undefined;
  };
  return simulatedOutside(transport, gateways);
}
