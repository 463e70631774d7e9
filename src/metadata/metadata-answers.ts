import type { Address } from '../chain/address.ts';
import { isAddress } from '../contract/address.ts';
import { ApiError } from '../contract/errors.ts';
import type { Written } from '../contract/written.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import { documentFields } from '../token/metadata-reads.ts';
import type { MetadataAnswer } from './contract.ts';
import type { Gateways } from './gateways.ts';
import type { ImagePlaces } from './image-places.ts';
import { ANSWER_BUDGET_MS, type Finding, type MetadataFinder } from './metadata-finder.ts';
import { publicMetadata } from './token-metadata.ts';
import { readUri, resourceUrls } from './token-uri.ts';

/** A body, or a redirect, and how long it may be kept. */
export interface MetadataReply {
  readonly body: Buffer | undefined;
  readonly cacheControl: string;
  readonly status?: 302;
  readonly location?: string;
}

/** Answers of `/meta` and `/image`. Any text may be asked for: a text that is no address has neither. */
export interface MetadataAnswers {
  meta(mint: string): MetadataReply | Promise<MetadataReply>;
  /** @throws {ApiError} `image_not_found`, with how long that holds. */
  image(mint: string): Promise<MetadataReply>;
}

export interface MetadataAnswersDeps {
  readonly finder: MetadataFinder;
  readonly places: ImagePlaces;
  readonly gateways: Gateways;
  readonly clock: Clock;
}

/** Nothing about it changes any more. */
export const KEPT_HOUR = 'private, max-age=3600';
/** A token without a URI, or a mint that is not known: either may change. */
const KEPT_MINUTES = 'private, max-age=300';
/** Until about the next try. */
const KEPT_SECONDS = 'private, max-age=90';
const NOT_KEPT = 'no-store';

interface Told {
  readonly body: Buffer;
  readonly withoutImage: Buffer;
  /** URL of an image whose host is still to be looked up. */
  readonly strangersImage: string | undefined;
}

const EMPTY = bytesOf({});
const PENDING = bytesOf({ pending: true });

export function createMetadataAnswers({ finder, places, gateways, clock }: MetadataAnswersDeps): MetadataAnswers {
  /** Answers by the row that they were made of: they are let go together with it. */
  const made = new WeakMap<TokenMetadataRow, Told>();

  function toldOf(row: TokenMetadataRow): Told {
    const known = made.get(row);
    if (known !== undefined) return known;
    const { metadata, strangersImage } = publicMetadata(row, gateways);
    const told: Told = {
      body: bytesOf(documentFields(metadata)),
      withoutImage: bytesOf(documentFields({ ...metadata, image: '' })),
      strangersImage,
    };
    made.set(row, told);
    return told;
  }

  /** Names an image on a stranger's host where `/image` would send a client there, and nowhere else. */
  function storedMeta(row: TokenMetadataRow, waitMs: number): MetadataReply | Promise<MetadataReply> {
    const { body, withoutImage, strangersImage } = toldOf(row);
    if (strangersImage === undefined) return { body, cacheControl: KEPT_HOUR };
    return places.isPublic(strangersImage, waitMs).then((isPublic) => ({
      body: isPublic === true ? body : withoutImage,
      cacheControl: isPublic === undefined ? NOT_KEPT : KEPT_HOUR,
    }));
  }

  function metaOf(finding: Finding, waitMs: number): MetadataReply | Promise<MetadataReply> {
    switch (finding.state) {
      case 'stored':
        return storedMeta(finding.row, waitMs);
      case 'none':
        return { body: EMPTY, cacheControl: KEPT_HOUR };
      case 'no_uri':
      case 'unknown':
        return { body: EMPTY, cacheControl: KEPT_MINUTES };
      case 'retry':
      case 'pending':
        return { body: PENDING, cacheControl: NOT_KEPT };
    }
  }

  async function imageOf({ image }: TokenMetadataRow, waitMs: number): Promise<MetadataReply> {
    // Read again: a redirect leads nowhere that would not be asked today.
    const resource = readUri(image);
    if (resource === undefined) throw notFound(KEPT_HOUR);
    // Content by its hash is had from gateways, and no host of somebody's own is asked or named.
    const urls = resourceUrls(resource.kind === 'ipfs' ? { ...resource, origin: undefined } : resource, gateways);
    if (resource.kind === 'ipfs') {
      const place = await places.find(urls, waitMs);
      if (place === undefined) throw notFound(KEPT_SECONDS);
      return redirect(place.url, place.confirmed ? KEPT_HOUR : KEPT_SECONDS);
    }
    const url = urls[0]!;
    const isPublic = resource.kind === 'arweave' || (await places.isPublic(url, waitMs));
    if (isPublic === undefined) throw notFound(NOT_KEPT);
    if (!isPublic) throw notFound(KEPT_HOUR);
    return redirect(url, KEPT_HOUR);
  }

  function timeLeft(started: number): number {
    return Math.max(0, ANSWER_BUDGET_MS - (clock.elapsed() - started));
  }

  return {
    meta(mint) {
      if (!isAddress(mint)) return { body: EMPTY, cacheControl: KEPT_HOUR };
      const ready = finder.ready(mint as Address);
      if (ready !== undefined) return metaOf(ready, ANSWER_BUDGET_MS);
      const started = clock.elapsed();
      return finder.find(mint as Address).then((finding) => metaOf(finding, timeLeft(started)));
    },
    async image(mint) {
      if (!isAddress(mint)) throw notFound(KEPT_HOUR);
      const started = clock.elapsed();
      const finding = await finder.find(mint as Address);
      switch (finding.state) {
        case 'stored':
          return imageOf(finding.row, timeLeft(started));
        case 'none':
          throw notFound(KEPT_HOUR);
        case 'retry':
          throw notFound(KEPT_SECONDS);
        case 'no_uri':
        case 'unknown':
          throw notFound(KEPT_MINUTES);
        case 'pending':
          throw notFound(NOT_KEPT);
      }
    },
  };
}

function bytesOf(body: Written<MetadataAnswer>): Buffer {
  return Buffer.from(JSON.stringify(body));
}

function redirect(location: string, cacheControl: string): MetadataReply {
  return { status: 302, body: undefined, location, cacheControl };
}

function notFound(cacheControl: string): ApiError {
  return new ApiError('image_not_found', { cacheControl });
}
