import { Type } from 'typebox';
import { isUrl, variable } from './variable.ts';

/** What is asked of others besides blocks, or read from files of theirs. */
export const LOOKUP_SETTINGS = {
  fundingLookups: variable({
    env: 'MINTSCOPE_FUNDING_LOOKUPS',
    schema: Type.Boolean(),
    help: 'true looks up who made the wallets that are older than the data, in their history at SOLANA_RPC_URL: two to six calls for each wallet.',
    example: 'false',
    default: 'false',
  }),
  solPrice: variable({
    env: 'MINTSCOPE_SOL_PRICE',
    schema: Type.String({ pattern: '^(on|off|https?://[^\\s,]+(,https?://[^\\s,]+){0,7})$' }),
    accepts: (text) => text === 'on' || text === 'off' || text.split(',').every(isUrl),
    expects: 'must be on, off, or up to eight URLs, separated by commas',
    help: 'The price of SOL in US dollars: on asks public exchanges (a simulated chain has its own), off asks nobody, URLs are asked instead, the first that answers.',
    example: 'on',
    default: 'on',
  }),
  equityCloses: variable({
    env: 'MINTSCOPE_EQUITY_CLOSES',
    schema: Type.String({ pattern: '^(off|https?://[^\\s]*\\{ticker\\}[^\\s]*)$' }),
    accepts: (text) => text === 'off' || isUrl(text.replaceAll('{ticker}', 'X')),
    expects: 'must be off, or a URL with {ticker} in it',
    help: 'Address that tells at what price a share closed, once a session for each: {ticker} stands for the share (see docs/sources.md). Without it no close and no premium is told; a simulated chain has its own, unless off.',
    example: 'https://prices.example/eod/{ticker}',
  }),
  metadata: variable({
    env: 'MINTSCOPE_METADATA',
    schema: Type.Boolean(),
    help: 'false fetches no documents of tokens: images, links and descriptions stay unknown, and no stranger’s host is asked.',
    example: 'true',
    default: 'true',
  }),
  ipfsGateways: variable({
    env: 'MINTSCOPE_IPFS_GATEWAYS',
    schema: Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+(,[a-z0-9-]+(\\.[a-z0-9-]+)+){0,7}$' }),
    expects: 'must be one to eight host names, separated by commas',
    help: 'Public hosts that documents and images on IPFS are asked of, by https, the first one first. The first three are asked for an image.',
    example: 'ipfs.io,dweb.link,gateway.pinata.cloud',
  }),
  geoipCity: variable({
    env: 'MINTSCOPE_GEOIP_CITY',
    schema: Type.String({ minLength: 1 }),
    help: 'File in the MaxMind format (.mmdb) that says in which city and country the addresses of validators are, such as DB-IP Lite or GeoLite2 (see docs/sources.md). Without it nobody’s place is known; a simulated chain has its own.',
    example: './dbip-city-lite.mmdb',
  }),
  geoipAsn: variable({
    env: 'MINTSCOPE_GEOIP_ASN',
    schema: Type.String({ minLength: 1 }),
    help: 'The same for autonomous systems, by which data centres are named.',
    example: './dbip-asn-lite.mmdb',
  }),
} as const;
