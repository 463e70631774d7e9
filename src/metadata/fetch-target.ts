import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** A URL that may be asked, once its host's addresses are found to be public too. */
export interface FetchTarget {
  readonly url: URL;
  /** Without the brackets of IPv6. */
  readonly host: string;
  /** The host is itself an address, and was checked. */
  readonly isAddress: boolean;
}

/** Reason for which a URL is never asked. Trying again changes none of them. */
export type TargetRefusal = 'not_a_url' | 'scheme' | 'port' | 'credentials' | 'host' | 'address';

/** No URL of a token has more characters. */
export const MAX_URL_CHARS = 2_048;

const HTTPS_PORT = '443';
/** Names that only mean something inside a network. */
const INNER_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|onion)$/;

/**
 * Reads a URL as one that a stranger wrote. Only https on its own port: plain
 * http lets anybody on the way answer in the host's name, and other ports are
 * where inner services listen. The parser of the platform brings every way of
 * writing an address (decimal, octal, hexadecimal, short, percent-encoded, wide
 * digits) to its plain form, and the plain form is what is checked and dialled.
 */
export function readTarget(text: string): FetchTarget | TargetRefusal {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return 'not_a_url';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.port !== '' && url.port !== HTTPS_PORT) return 'port';
  url.hash = '';
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? { url, host, isAddress: true } : 'address';
  if (!isPublicName(host)) return 'host';
  return { url, host, isAddress: false };
}

/** The host without brackets and without the dot that ends a full name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** A name of at least two labels, under no inner domain. */
export function isPublicName(host: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(host) && !/\.\d+$/.test(host) && !INNER_NAMES.test(host);
}

/** Key of a host for limits: its last two labels, so that a name for each token is no way around a limit. */
export function siteOf({ host, isAddress }: Pick<FetchTarget, 'host' | 'isAddress'>): string {
  return isAddress ? host : host.split('.').slice(-2).join('.');
}
