import { hostOf, MAX_URL_CHARS, readTarget } from './fetch-target.ts';
import { type Gateways, isKnownGateway } from './gateways.ts';

/** Resource that a URI of a token names: content by its hash, wherever the URI says that it lies, or a URL. */
export type Resource =
  | {
      readonly kind: 'ipfs' | 'arweave';
      /** Content id, with the path below it if there is one. */
      readonly path: string;
      /** The URL it was written as, when that is on a host of somebody's own. */
      readonly origin: string | undefined;
    }
  | { readonly kind: 'web'; readonly url: string };

/** A version 0 content id, or version 1 in base32. */
const CID = '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{20,120})';
const IPFS_PATH = new RegExp(`^(${CID})((?:/[^?#]*)?)(?:[?#].*)?$`);
const IPFS_HOST = new RegExp(`^(${CID})\\.ipfs\\.[a-z0-9.-]+$`, 'i');
/** 32 bytes in base64url. */
const ARWEAVE_PATH = /^([A-Za-z0-9_-]{43})((?:\/[^?#]*)?)(?:[?#].*)?$/;
/** Padding that on-chain strings of a fixed length carry. */
const PADDING = /[\s\p{Cc}]/u;

/** Undefined for what names nothing that could be fetched. Plain http is asked for as https. */
export function readUri(text: string): Resource | undefined {
  const uri = unpadded(text);
  if (uri === '' || uri.length > MAX_URL_CHARS) return undefined;
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is.exec(uri) ?? [];
  switch (scheme.toLowerCase()) {
    case '':
      return ofIpfs(uri.replace(/^\/?(?:ipfs\/)?/, ''), undefined);
    case 'ipfs':
      return ofIpfs(rest.replace(/^\/*(?:ipfs\/)?/, ''), undefined);
    case 'ar':
      return ofArweave(rest.replace(/^\/*/, ''));
    case 'http':
    case 'https':
      return ofUrl(uri.replace(/^http:/i, 'https:'));
    default:
      return undefined;
  }
}

/** Character by character: a pattern for the end would be tried anew at each of a stranger's 60,000 spaces. */
function unpadded(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && PADDING.test(text[from]!)) from += 1;
  while (to > from && PADDING.test(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

/** The URLs at which a resource may be had, best first. */
export function resourceUrls(resource: Resource, gateways: Gateways): readonly string[] {
  switch (resource.kind) {
    case 'web':
      return [resource.url];
    case 'arweave':
      return gateways.arweave.map((gateway) => `${gateway}/${resource.path}`);
    case 'ipfs': {
      const urls = gateways.ipfs.map((gateway) => `${gateway}/ipfs/${resource.path}`);
      const { origin } = resource;
      return origin === undefined || urls.includes(origin) ? urls : [...urls, origin];
    }
  }
}

/** The one URL that a resource is told by: content by its hash at the first gateway. */
export function canonicalUrl(resource: Resource, gateways: Gateways): string {
  return resourceUrls(resource, gateways)[0]!;
}

function ofUrl(text: string): Resource | undefined {
  const target = readTarget(text);
  if (typeof target === 'string') return undefined;
  const { url } = target;
  const host = hostOf(url);
  const origin = isKnownGateway(host) ? undefined : url.href;
  const inHost = IPFS_HOST.exec(host)?.[1];
  if (inHost !== undefined) return ofIpfs(`${inHost}${url.pathname}`, origin);
  const inPath = /^\/ipfs\/(.+)$/.exec(url.pathname)?.[1];
  const content = inPath === undefined ? undefined : ofIpfs(inPath, origin);
  if (content !== undefined) return content;
  if (host === 'arweave.net') return ofArweave(url.pathname.slice(1)) ?? { kind: 'web', url: url.href };
  return { kind: 'web', url: url.href };
}

function ofIpfs(text: string, origin: string | undefined): Resource | undefined {
  const [, cid, path] = IPFS_PATH.exec(text) ?? [];
  const below = cid === undefined ? undefined : pathBelow(path ?? '');
  return below === undefined ? undefined : { kind: 'ipfs', path: `${cid}${below}`, origin };
}

function ofArweave(text: string): Resource | undefined {
  const [, id, path] = ARWEAVE_PATH.exec(text) ?? [];
  const below = id === undefined ? undefined : pathBelow(path ?? '');
  return below === undefined ? undefined : { kind: 'arweave', path: `${id}${below}`, origin: undefined };
}

/** The path as a URL has it, or undefined when it climbs above the content that it is below, or might once it is decoded. */
function pathBelow(path: string): string | undefined {
  if (path === '' || path === '/') return '';
  const base = 'https://content.example/below';
  if (!URL.canParse(`${base}${path}`) || CLIMBS.test(path.replaceAll('\\', '/'))) return undefined;
  const { pathname } = new URL(`${base}${path}`);
  return pathname.startsWith('/below/') ? pathname.slice('/below'.length) : undefined;
}

const CLIMBS = /\/(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c/i;
