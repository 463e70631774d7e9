import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { readTokenMetadata, readTokenUri } from '../token/metadata-reads.ts';
import { COLLECTOR_LIMITS, type CollectorFigures, createCollector } from './collector.ts';
import { createNetworkDocuments, createSimulatedDocuments, type Documents, MAX_URLS } from './documents.ts';
import { siteOf } from './fetch-target.ts';
import type { Gateways } from './gateways.ts';
import { createDnsResolver } from './host-addresses.ts';
import { createImagePlaces, IMAGE_LIMITS } from './image-places.ts';
import { createNetworkImageProbe, type ImageProbe, SIMULATED_IMAGE_PROBE } from './image-probe.ts';
import { createMetadataAnswers, type MetadataAnswers } from './metadata-answers.ts';
import { createMetadataFinder } from './metadata-finder.ts';
import { createMetadataRecord } from './metadata-record.ts';
import { createSafeFetch, type SafeFetchOptions } from './safe-fetch.ts';
import { followCreations, runWantedPasses } from './wanted-passes.ts';

/** Documents and images of tokens: read in the background, kept in the store, answered. */
export interface Metadata {
  readonly answers: MetadataAnswers;
  readonly figures: MetadataFigures;
  /** Resolves when nothing is under way and everything learnt is stored. */
  stop(): Promise<void>;
}

export interface MetadataFigures extends CollectorFigures {
  /** Images whose gateways are being asked. */
  readonly imageRaces: number;
}

export interface MetadataDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly gateways: Gateways;
  /** Told of mints whose documents the store now has. */
  readonly learnt: (mints: readonly Address[]) => void;
  readonly outside: Outside;
}

/** The world outside: the network, a simulated chain's hosts, or nothing, and then only what is stored is told. */
export interface Outside {
  readonly documents: Documents | undefined;
  readonly images: ImageProbe;
}

/** Fetches at once: a place for each worker and each race, so that neither documents nor images take those of the other. */
const { gateways: AT_GATEWAYS, strangers: AT_STRANGERS } = COLLECTOR_LIMITS.underWay;
const MAX_FETCHES = AT_STRANGERS + AT_GATEWAYS * MAX_URLS + IMAGE_LIMITS.racing * IMAGE_LIMITS.gateways;
/** Strangers' hosts may redirect there. */
const MAX_FETCHES_AT_GATEWAY = AT_STRANGERS + AT_GATEWAYS + IMAGE_LIMITS.racing;
const MAX_FETCHES_AT_SITE = 3;

/** The network. Options are for tests, which have no public host. */
export function networkOutside(gateways: Gateways, options: Partial<SafeFetchOptions> = {}): Outside {
  const sites = new Set(
    [...gateways.ipfs, ...gateways.arweave].map((url) => siteOf({ host: new URL(url).hostname, isAddress: false })),
  );
  const resolve = options.resolve ?? createDnsResolver();
  const fetch = createSafeFetch({
    gate: {
      inAll: MAX_FETCHES,
      perSite: (site) => (sites.has(site) ? MAX_FETCHES_AT_GATEWAY : MAX_FETCHES_AT_SITE),
    },
    ...options,
    resolve,
  });
  const images = createNetworkImageProbe(fetch, resolve);
  return { documents: createNetworkDocuments(fetch, gateways, images), images };
}

/** The hosts of a simulated chain: `transport` gives the body of a URI, undefined when there is none. */
export function simulatedOutside(transport: (uri: string) => string | undefined, gateways: Gateways): Outside {
  return { documents: createSimulatedDocuments(transport, gateways), images: SIMULATED_IMAGE_PROBE };
}

/** Nobody outside is asked: of a gateway it is never known whether it serves an image, and no stranger's host is named. */
export const NOTHING_OUTSIDE: Outside = {
  documents: undefined,
  images: { confirm: async () => 'unknown', isPublic: async () => undefined },
};

export function openMetadata(deps: MetadataDeps): Metadata {
  const { client, feed, clock, log, gateways, learnt, outside } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const record = createMetadataRecord({ client, clock, log, learnt });
  const { documents } = outside;
  const collector =
    documents === undefined ? undefined : createCollector({ documents, clock, note: (row) => record.note(row) });
  const places = createImagePlaces({ probe: outside.images, clock });
  const reads = {
    row: async (mint: Address) => (await readTokenMetadata(client, [mint])).get(mint),
    uri: (mint: Address) => readTokenUri(client, mint),
  };
  const finder = createMetadataFinder({ reads, collector, clock });
  const work: Promise<void>[] = [];
  let unfollow = () => {};
  if (collector !== undefined) {
    unfollow = followCreations(feed, collector.want);
    work.push(collector.run(signal), record.run(signal), runWantedPasses({ client, collector, clock, log }, signal));
  }
  return {
    answers: createMetadataAnswers({ finder, places, gateways, clock }),
    get figures() {
      return { ...(collector?.figures ?? NO_FIGURES), imageRaces: places.racing };
    },
    async stop() {
      unfollow();
      stopping.abort();
      await Promise.allSettled(work);
    },
  };
}

const NO_FIGURES: CollectorFigures = { queued: 0, underWay: 0, waiting: 0, tries: {} };
