/** That a route will go, and when. */
export interface Deprecation {
  /** RFC 3339: from when on new clients should not use it. */
  readonly since: string;
  /** RFC 3339: until when it answers. */
  readonly sunset: string;
  /** URL where the route that takes its place is described. */
  readonly link?: string;
}

/** Days that a deprecated route goes on answering at least. */
export const SUNSET_DAYS = 90;
const DAY_MS = 86_400_000;

/** Headers of all answers of such a route: RFC 9745 and RFC 8594. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
    ...(link === undefined ? {} : { link: `<${link}>; rel="deprecation"` }),
  };
}

/** Faults of a deprecation; none when it is right. */
export function deprecationFaults({ since, sunset }: Deprecation): readonly string[] {
  const days = (Date.parse(sunset) - Date.parse(since)) / DAY_MS;
  return days >= SUNSET_DAYS ? [] : [`${SUNSET_DAYS} days lie between since and sunset at least`];
}
