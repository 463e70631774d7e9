import { FetchFault } from './fetch-fault.ts';

/** Bounds the fetches that are under way, in all and at one site. */
export interface FetchGate {
  /**
   * Takes a place and returns the way to give it back.
   *
   * @throws {FetchFault} `busy` when there is none: whoever comes is to come again later, so that nothing queues here.
   */
  enter(site: string): () => void;
  readonly underWay: number;
}

export interface FetchGateLimits {
  readonly inAll: number;
  readonly perSite: (site: string) => number;
}

export function createFetchGate({ inAll, perSite }: FetchGateLimits): FetchGate {
  const bySite = new Map<string, number>();
  let underWay = 0;
  return {
    get underWay() {
      return underWay;
    },
    enter(site) {
      const there = bySite.get(site) ?? 0;
      if (underWay >= inAll || there >= perSite(site)) throw new FetchFault('busy', `too many fetches at ${site}`);
      underWay += 1;
      bySite.set(site, there + 1);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        underWay -= 1;
        const left = (bySite.get(site) ?? 1) - 1;
        if (left > 0) bySite.set(site, left);
        else bySite.delete(site);
      };
    },
  };
}
