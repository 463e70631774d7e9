import { toFetchFault } from './fetch-fault.ts';
import { readTarget } from './fetch-target.ts';
import { publicAddresses, type ResolveHost } from './host-addresses.ts';
import type { FetchWish, SafeFetch } from './safe-fetch.ts';

/** Finds out about the place of an image, without reading the image. Never rejects. */
export interface ImageProbe {
  /** Asks a gateway for the image: `confirmed` when it serves it, `refused` when it says no, `unknown` when neither. */
  confirm(url: string, signal: AbortSignal): Promise<'confirmed' | 'refused' | 'unknown'>;
  /** True when a stranger's URL leads to the public internet, so that a client may go there; undefined if not known. */
  isPublic(url: string): Promise<boolean | undefined>;
}

const HEADERS_ONLY: Omit<FetchWish, 'signal' | 'method'> = {
  accept: 'image/*',
  acceptsType: () => true,
  maxBytes: 0,
};
/** Gateways that know no HEAD. */
const TRY_GET: ReadonlySet<number> = new Set([405, 501]);
/** Says nothing of the image: later it may be there. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

export function createNetworkImageProbe(fetch: SafeFetch, resolve: ResolveHost): ImageProbe {
  return {
    async confirm(url, signal) {
      try {
        const head = await fetch(url, { ...HEADERS_ONLY, method: 'HEAD', signal });
        const { status, type } = TRY_GET.has(head.status)
          ? await fetch(url, { ...HEADERS_ONLY, method: 'GET', signal })
          : head;
        if (status === 200) return type.startsWith('image/') ? 'confirmed' : 'refused';
        return status >= 400 && status < 500 && !PASSING.has(status) ? 'refused' : 'unknown';
      } catch (error) {
        return toFetchFault(error).kind === 'refused' ? 'refused' : 'unknown';
      }
    },
    async isPublic(url) {
      const target = readTarget(url);
      if (typeof target === 'string') return false;
      if (target.isAddress) return true;
      try {
        return (await publicAddresses(resolve, target.host)) !== undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Of a simulated chain every image lies where it is said to lie. */
export const SIMULATED_IMAGE_PROBE: ImageProbe = {
  confirm: async () => 'confirmed',
  isPublic: async () => true,
};
