import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ImageProbe } from './image-probe.ts';

/** Place from which an image can be had. */
export interface ImagePlace {
  readonly url: string;
  /** A gateway said that it serves it. */
  readonly confirmed: boolean;
}

export interface ImagePlaces {
  /**
   * Asks all gateways at once and takes the first that serves the image. When
   * none has said so in time it is the first that has not refused it; undefined
   * when all have. What they say later is remembered for the next question.
   */
  find(urls: readonly string[], waitMs: number): Promise<ImagePlace | undefined>;
  /** The URL of a stranger's host: false when it leads inside, undefined when that is not known in time. */
  isPublic(url: string, waitMs: number): Promise<boolean | undefined>;
  readonly racing: number;
}

export interface ImagePlacesDeps {
  readonly probe: ImageProbe;
  readonly clock: Clock;
  readonly limits?: ImageLimits;
}

export interface ImageLimits {
  /** Images and hosts remembered. */
  readonly remembered: number;
  /** Races at once. Beyond that the first gateway is named unasked. */
  readonly racing: number;
  /** Gateways asked for an image. */
  readonly gateways: number;
}

export const IMAGE_LIMITS: ImageLimits = { remembered: 10_000, racing: 16, gateways: 3 };

/** A place that was confirmed, or a host that was looked up, is believed so long. */
const BELIEVED_MS = 3_600_000;
/** A race without a winner is run again after it. */
const OPEN_MS = 90_000;

interface Race {
  readonly startedAt: number;
  readonly urls: readonly string[];
  readonly refused: Set<string>;
  winner: string | undefined;
  over: boolean;
  /** Resolves with the winner, or once all have spoken. */
  readonly decided: Promise<void>;
}

interface HostAnswer {
  readonly at: number;
  readonly isPublic: Promise<boolean | undefined>;
}

export function createImagePlaces({ probe, clock, limits = IMAGE_LIMITS }: ImagePlacesDeps): ImagePlaces {
  const races = createBoundedMap<string, Race>(limits.remembered);
  const hosts = createBoundedMap<string, HostAnswer>(limits.remembered);
  let racing = 0;

  function isFresh({ startedAt, winner, over }: Race): boolean {
    const age = clock.elapsed() - startedAt;
    return age < (winner === undefined && over ? OPEN_MS : BELIEVED_MS);
  }

  function start(urls: readonly string[]): Race {
    const stopping = new AbortController();
    let decide: () => void = () => {};
    const race: Race = {
      startedAt: clock.elapsed(),
      urls,
      refused: new Set(),
      winner: undefined,
      over: false,
      decided: new Promise<void>((resolve) => {
        decide = resolve;
      }),
    };
    racing += 1;
    const asked = urls.map(async (url) => {
      const said = await probe.confirm(url, stopping.signal);
      if (race.winner !== undefined) return;
      if (said === 'refused') race.refused.add(url);
      if (said !== 'confirmed') return;
      race.winner = url;
      decide();
      stopping.abort();
    });
    void Promise.allSettled(asked).then(() => {
      race.over = true;
      racing -= 1;
      decide();
    });
    return race;
  }

  return {
    get racing() {
      return racing;
    },
    async find(all, waitMs) {
      const urls = all.slice(0, limits.gateways);
      const [key] = urls;
      if (key === undefined) return undefined;
      let race = races.get(key);
      if (race === undefined || !isFresh(race)) {
        if (racing >= limits.racing) return { url: key, confirmed: false };
        race = start(urls);
        races.set(key, race);
      }
      if (race.winner === undefined && !race.over) await within(race.decided, waitMs, clock);
      if (race.winner !== undefined) return { url: race.winner, confirmed: true };
      const { refused } = race;
      const open = urls.find((url) => !refused.has(url));
      return open === undefined ? undefined : { url: open, confirmed: false };
    },
    async isPublic(url, waitMs) {
      const { host } = new URL(url);
      let answer = hosts.get(host);
      if (answer === undefined || clock.elapsed() - answer.at >= BELIEVED_MS) {
        answer = { at: clock.elapsed(), isPublic: probe.isPublic(url) };
        hosts.set(host, answer);
        // An answer that says nothing is not remembered: the host is asked again.
        void answer.isPublic.then((known) => {
          if (known === undefined && hosts.get(host) === answer) hosts.delete(host);
        });
      }
      return within(answer.isPublic, waitMs, clock);
    },
  };
}

/** The promise's value, or undefined when it takes longer. */
export async function within<T>(promise: Promise<T>, waitMs: number, clock: Clock): Promise<T | undefined> {
  const patience = new AbortController();
  try {
    return await Promise.race([promise, clock.sleep(waitMs, patience.signal).then(() => undefined)]);
  } finally {
    patience.abort();
  }
}
