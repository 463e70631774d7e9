import { isIP } from 'node:net';

const GROUPS = 8;
const GROUP_BITS = 16;
const OCTET_BITS = 8;
/** `::ffff:a.b.c.d` is IPv4 that an IPv6 socket received. */
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0xffff];

/**
 * An IP address in the one text that stands for it: IPv4 as four numbers, IPv6 as
 * RFC 5952 writes it, IPv4 in IPv6 as IPv4, without a zone. Undefined for
 * anything else.
 */
export function normalizeIp(text: string): string | undefined {
  const version = isIP(text);
  // Most are IPv4, and of those the system knows one spelling only.
  if (version === 4) return text;
  if (version === 0) return undefined;
  const groups = readGroups(text);
  return MAPPED_PREFIX.every((group, i) => groups[i] === group) ? dotted(groups.slice(-2)) : writeGroups(groups);
}

/**
 * The network that a normal address lies in, of so many bits in either family:
 * `203.0.113.0/24`, `2001:db8:1::/48`. What is no address is its own network.
 */
export function networkOf(address: string, ipv4Bits: number, ipv6Bits: number): string {
  const version = isIP(address);
  if (version === 0) return address;
  if (version === 4) {
    const octets = address.split('.').map(Number);
    return `${masked(octets, ipv4Bits, OCTET_BITS).join('.')}/${ipv4Bits}`;
  }
  return `${writeGroups(masked(readGroups(address), ipv6Bits, GROUP_BITS))}/${ipv6Bits}`;
}

/** The first bits of the parts, zeros after them. */
function masked(parts: readonly number[], bits: number, width: number): number[] {
  return parts.map((part, i) => {
    const drop = Math.min(width, Math.max(0, (i + 1) * width - bits));
    return (part >> drop) << drop;
  });
}

/** The eight groups of a valid IPv6 text. */
function readGroups(text: string): number[] {
  const zone = text.indexOf('%');
  const plain = zone < 0 ? text : text.slice(0, zone);
  const gap = plain.indexOf('::');
  if (gap < 0) return groupsOf(plain);
  const head = groupsOf(plain.slice(0, gap));
  const tail = groupsOf(plain.slice(gap + 2));
  return [...head, ...new Array<number>(GROUPS - head.length - tail.length).fill(0), ...tail];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a << OCTET_BITS) | b, (c << OCTET_BITS) | d];
  });
}

function writeGroups(groups: readonly number[]): string {
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [i, group] of groups.entries()) {
    if (group !== 0) start = i + 1;
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start };
  }
  return best;
}

function dotted(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >> OCTET_BITS, group & 0xff]).join('.');
}
