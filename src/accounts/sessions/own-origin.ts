/** Origin of this service's pages: sign-in messages must name it, and browsers must say that they ask from it. */
export interface OwnOrigin {
  /** True when pages are served by https, or on this machine alone. */
  readonly isHttps: boolean;
  /** `https://mintscope.example` */
  isOrigin(origin: string): boolean;
  /** `mintscope.example`, `localhost:8080`: an origin without its scheme. */
  isDomain(domain: string): boolean;
  /** The origin that a message is written for: the one that a browser named when it is ours, otherwise our first. Undefined before we listen. */
  choose(named: string | undefined): string | undefined;
}

export interface OwnOriginOptions {
  /** The origin in the address bar of browsers; undefined for those on this machine. */
  readonly publicUrl: string | undefined;
  /** The address that is listened on. */
  readonly host: string;
  /** The port that is listened on; undefined before. */
  readonly port: () => number | undefined;
}

/** Names that only this machine answers to. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Our origin is what the operator says it is. Without that it is a loopback name
 * with our port and nothing else: the Host header is whatever a stranger's name
 * server and browser make of it.
 */
export function createOwnOrigin({ publicUrl, host, port }: OwnOriginOptions): OwnOrigin {
  const named = publicUrl === undefined ? undefined : [new URL(publicUrl).origin];
  const authority = host.includes(':') ? `[${host}]` : host;
  // The first of the names is the one in the line that announces the service.
  const names = [...LOOPBACK_NAMES].sort((one, other) => Number(other === authority) - Number(one === authority));
  let listening: { readonly port: number; readonly origins: readonly string[] } | undefined;

  function origins(): readonly string[] {
    if (named !== undefined) return named;
    const current = port();
    if (current === undefined) return [];
    if (listening?.port !== current) {
      listening = { port: current, origins: names.map((name) => new URL(`http://${name}:${current}`).origin) };
    }
    return listening.origins;
  }

  return {
    isHttps: publicUrl?.startsWith('https:') ?? false,
    isOrigin: (origin) => origins().includes(origin),
    isDomain: (domain) => origins().some((origin) => domainOf(origin) === domain),
    choose: (asked) => origins().find((origin) => origin === asked) ?? origins()[0],
  };
}

/** `localhost:8080` of `http://localhost:8080`. */
export function domainOf(origin: string): string {
  return new URL(origin).host;
}
