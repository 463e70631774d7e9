import type { DocumentTexts } from '../token/metadata-reads.ts';
import { toFetchFault } from './fetch-fault.ts';
import type { Gateways } from './gateways.ts';
import type { ImageProbe } from './image-probe.ts';
import type { FetchWish, SafeFetch } from './safe-fetch.ts';
import { MAX_DOCUMENT_BYTES, readDocument } from './token-metadata.ts';
import { type Resource, readUri, resourceUrls } from './token-uri.ts';

/**
 * Reasons for which there is no document:
 * `refused` its URL is none that is ever asked;
 * `gone` the host says that it has none;
 * `unusable` what the host has is no such document;
 * `unreachable` the host did not answer;
 * `busy` nobody asked: too many were under way.
 */
export type DocumentFault = 'refused' | 'gone' | 'unusable' | 'unreachable' | 'busy';

export type DocumentAnswer = { readonly metadata: DocumentTexts } | { readonly fault: DocumentFault };

/** Source of documents: the network, or a simulated chain. Never rejects. */
export interface Documents {
  read(uri: string, resource: Resource, signal: AbortSignal): Promise<DocumentAnswer>;
}

/** A gateway gets so long before the next one is asked beside it. */
const NEXT_GATEWAY_MS = 1_500;
/** Gateways asked for one document at a time. */
export const MAX_URLS = 3;
/** Faults in the order in which one of several is told: those that leave the most hope first. */
const BY_HOPE: readonly DocumentFault[] = ['busy', 'unreachable', 'unusable', 'gone', 'refused'];
const GONE: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 451]);

/** Documents of the network: of content that lies on several gateways the first that answers. */
export function createNetworkDocuments(
  fetch: SafeFetch,
  gateways: Gateways,
  { isPublic }: Pick<ImageProbe, 'isPublic'>,
): Documents {
  /** Leaves out an image whose host's name leads inside. What cannot be found out now is judged where it is answered. */
  async function withPublicImage(metadata: DocumentTexts): Promise<DocumentTexts> {
    const resource = readUri(metadata.image);
    if (resource?.kind !== 'web' || (await isPublic(resource.url)) !== false) return metadata;
    return { ...metadata, image: '' };
  }

  async function readFrom(url: string, signal: AbortSignal): Promise<DocumentAnswer> {
    try {
      const { status, body } = await fetch(url, { ...DOCUMENT, signal });
      if (status !== 200) return { fault: GONE.has(status) ? 'gone' : 'unreachable' };
      const metadata = readDocument(body.toString('utf8'), gateways);
      return metadata === undefined ? { fault: 'unusable' } : { metadata: await withPublicImage(metadata) };
    } catch (error) {
      return { fault: toFetchFault(error).kind };
    }
  }

  return {
    async read(_uri, resource, signal) {
      const found = new AbortController();
      const either = AbortSignal.any([signal, found.signal]);
      const urls = spread(resourceUrls(resource, gateways), MAX_URLS);
      const asked: Promise<DocumentAnswer>[] = [];
      try {
        for (const url of urls) {
          asked.push(readFrom(url, either));
          const first = await firstFound(asked, url === urls.at(-1) ? undefined : NEXT_GATEWAY_MS);
          if (first !== undefined) return first;
        }
        const faults = (await Promise.all(asked)).flatMap((answer) => ('fault' in answer ? [answer.fault] : []));
        return { fault: BY_HOPE.find((fault) => faults.includes(fault)) ?? 'unreachable' };
      } finally {
        found.abort();
      }
    },
  };
}

const DOCUMENT: Omit<FetchWish, 'signal'> = {
  accept: 'application/json, text/plain;q=0.9, application/octet-stream;q=0.8',
  // Hosts of files say little of them; what is surely something else is not read.
  acceptsType: (type) =>
    type === '' ||
    type === 'text/plain' ||
    type === 'application/octet-stream' ||
    type === 'binary/octet-stream' ||
    /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type),
  maxBytes: MAX_DOCUMENT_BYTES,
  method: 'GET',
};

/** Documents out of a simulated chain, without a network. A body of undefined is a host that has none. */
export function createSimulatedDocuments(
  transport: (uri: string) => string | undefined,
  gateways: Gateways,
): Documents {
  return {
    async read(uri) {
      const text = transport(uri);
      if (text === undefined) return { fault: 'gone' };
      const metadata = readDocument(text, gateways);
      return metadata === undefined ? { fault: 'unusable' } : { metadata };
    },
  };
}

/** At most `count` of them, the last one among them: where somebody's own host is named, it is the last. */
function spread(urls: readonly string[], count: number): readonly string[] {
  return urls.length <= count ? urls : [...urls.slice(0, count - 1), urls.at(-1)!];
}

/** The first document, or undefined once all have failed or the time is over. */
function firstFound(
  asked: readonly Promise<DocumentAnswer>[],
  waitMs: number | undefined,
): Promise<DocumentAnswer | undefined> {
  return new Promise((resolve) => {
    const timer = waitMs === undefined ? undefined : setTimeout(() => resolve(undefined), waitMs);
    let left = asked.length;
    for (const each of asked) {
      void each.then((answer) => {
        left -= 1;
        if ('fault' in answer && left > 0) return;
        clearTimeout(timer);
        resolve('fault' in answer ? undefined : answer);
      });
    }
  });
}
