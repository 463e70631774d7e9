import data from './gateways.json' with { type: 'json' };

/** Gateways that are asked for content that is named by its hash. */
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

/** The default gateways, with hosts separated by commas in place of the IPFS ones. */
export function chooseGateways(ipfsHosts: string | undefined): Gateways {
  if (ipfsHosts === undefined) return DEFAULT_GATEWAYS;
  return { ...DEFAULT_GATEWAYS, ipfs: ipfsHosts.split(',').map((host) => `https://${host}`) };
}

function inUse(entries: readonly GatewayEntry[]): readonly string[] {
  return entries.filter(({ use }) => use).map(({ host }) => `https://${host}`);
}
