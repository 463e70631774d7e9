import type { DocumentTexts } from '../token/metadata-reads.ts';
import { isPublicName, MAX_URL_CHARS, readTarget } from './fetch-target.ts';
import type { Gateways } from './gateways.ts';
import { canonicalUrl, readUri } from './token-uri.ts';

/** Largest document that is read, bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024;
const MAX_LINK_CHARS = 256;
const MAX_DESCRIPTION_CHARS = 1_000;

/** Handles on X and Telegram, as people write them instead of a link. */
const HANDLE = /^@?([A-Za-z0-9_]{2,32})$/;
/** Characters that are no text or change how others are shown: controls but the line's end, directions, halves of characters. Joiners are part of emoji. */
const UNPRINTABLE = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

type Json = Readonly<Record<string, unknown>>;

/** Reads a document. Undefined when it is no JSON object; whatever is wrong inside it is a field that is not set. */
export function readDocument(text: string, gateways: Gateways): DocumentTexts | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(document)) return undefined;
  const extensions = own(document, 'extensions');
  // The launchpad writes links beside the name; the chain's older standard below `extensions`.
  const places = isObject(extensions) ? [document, extensions] : [document];
  const find = (...names: readonly string[]) => findText(places, names);
  return {
    image: copied(readImage(find('image'), gateways)),
    twitter: copied(readProfile(find('twitter', 'x'), 'https://x.com/')),
    website: copied(readLink(find('website', 'external_url'))),
    telegram: copied(readProfile(find('telegram'), 'https://t.me/')),
    description: copied(cut(clean(find('description')), MAX_DESCRIPTION_CHARS)),
  };
}

/**
 * Fields of a stored row that may be told: it was read by the rules of its time, and is read again by today's. An
 * image on a host of somebody's own is named apart, because what the host's name leads to is still to be found out.
 */
export function publicMetadata(
  { image, twitter, website, telegram, description }: DocumentTexts,
  gateways: Gateways,
): { readonly metadata: DocumentTexts; readonly strangersImage: string | undefined } {
  const resource = readUri(image);
  return {
    metadata: {
      image: readImage(image, gateways),
      twitter: readLink(twitter),
      website: readLink(website),
      telegram: readLink(telegram),
      description,
    },
    strangersImage: resource?.kind === 'web' ? resource.url : undefined,
  };
}

/** In memory of its own: the engine's parts of a text keep all of it, and a stranger's may be large. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

/** The URL of an image, which is on a public host whatever way it is written; '' for none. */
function readImage(text: string, gateways: Gateways): string {
  const resource = readUri(text);
  const url = resource === undefined ? '' : quotable(canonicalUrl(resource, gateways));
  // Encoding makes a URL longer, and it is read by the same bound again.
  return url.length > MAX_URL_CHARS ? '' : url;
}

function readProfile(text: string, base: string): string {
  const handle = HANDLE.exec(text)?.[1];
  return handle === undefined ? readLink(text) : `${base}${handle}`;
}

/** A link for people: http or https, to a public host, without credentials. */
function readLink(text: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[a-z0-9.-]+:\d/i.test(text);
  const link = clean(hasScheme ? text : `https://${text}`);
  if (text === '' || link.length > MAX_LINK_CHARS || !URL.canParse(link)) return '';
  const url = new URL(link);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return '';
  if (url.username !== '' || url.password !== '') return '';
  const host = url.hostname.replace(/\.$/, '');
  const isAddress = typeof readTarget(`https://${url.hostname}/`) !== 'string';
  const href = quotable(url.href);
  return href.length <= MAX_LINK_CHARS && (isPublicName(host) || isAddress) ? href : '';
}

/** The one mark that ends a quotation and that URLs leave as it is: a page may put them in single quotes. */
function quotable(url: string): string {
  return url.replaceAll("'", '%27');
}

/** The first of the names that is set to text, in the first place that has one. */
function findText(places: readonly Json[], names: readonly string[]): string {
  for (const place of places) {
    for (const name of names) {
      const value = own(place, name);
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
  }
  return '';
}

function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNPRINTABLE, '').trim();
}

/** No more than so many UTF-16 units, and no half of a character. */
function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const kept = text.slice(0, units);
  return /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
