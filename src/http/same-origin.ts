import type { IncomingHttpHeaders } from 'node:http';
import type { OwnOrigin } from '../accounts/sessions/own-origin.ts';

/** Headers in which a browser tells of the page that asks. Scripts cannot write either of them themselves. */
export type PageHeaders = Pick<IncomingHttpHeaders, 'sec-fetch-site' | 'origin'>;

/**
 * True when a browser says that another site's page asks, which may not act in a session. A request with neither header
 * is not refused: clients that are no browsers send none, and the cookie is SameSite. A page on a sibling of our domain
 * is another one too, though the cookie goes with its requests.
 */
export function isCrossOrigin(headers: PageHeaders, own: OwnOrigin): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  // `none`: not a page at all, but whoever sits at the browser.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && !own.isOrigin(origin);
}

/** True when a browser says that one of our own pages asks. */
export function isOwnPage(headers: PageHeaders, own: OwnOrigin): boolean {
  const isNamed = headers['sec-fetch-site'] === 'same-origin' || headers.origin !== undefined;
  return isNamed && headers['sec-fetch-site'] !== 'none' && !isCrossOrigin(headers, own);
}
