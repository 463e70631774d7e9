import data from './gateways.json' with { type: 'json' };

/** Where content that is named by its hash is asked for. */
export interface Gateways {
  /** Base URLs that end before `/ipfs/…`, the first one first. Never empty. */
  readonly ipfs: readonly string[];
  /** Base URLs that end before `/<id>`. Never empty. */
  readonly arweave: readonly string[];
}

interface GatewayEntry {
  readonly host: string;
  readonly use: boolean;
}

export const DEFAULT_GATEWAYS: Gateways = { ipfs: inUse(data.ipfs), arweave: inUse(data.arweave) };

/** Hosts that are gateways to anybody's content, in use or closed: nothing but the content is to be had from them. */
const KNOWN_HOSTS: readonly string[] = [...data.ipfs, ...data.arweave].map(({ host }) => host);

export function isKnownGateway(host: string): boolean {
  return KNOWN_HOSTS.some((known) => host === known || host.endsWith(`.${known}`));
}

/** The default gateways with those of the configuration in place of the IPFS ones: hosts, or base URLs, separated by commas. */
export function chooseGateways(ipfs: string | undefined): Gateways {
  if (ipfs === undefined) return DEFAULT_GATEWAYS;
  const chosen = ipfs.split(',').map((each) => each.trim());
  return {
    ...DEFAULT_GATEWAYS,
    ipfs: chosen.map((each) => (each.includes('://') ? trimSlash(each) : `https://${each}`)),
  };
}

function inUse(entries: readonly GatewayEntry[]): readonly string[] {
  return entries.filter(({ use }) => use).map(({ host }) => `https://${host}`);
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
