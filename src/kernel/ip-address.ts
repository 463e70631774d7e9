import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `::1.2.3.4` is no IPv4 in IPv6, which the library takes it for unless it is written with a zero. */
const COMPATIBLE = /^::(?=\d+\.)/;

/**
 * An IP address in the one text that stands for it: IPv4 as four numbers, IPv6 as
 * RFC 5952 writes it, IPv4 in IPv6 as IPv4, without a zone. Undefined for
 * anything else.
 */
export function normalizeIp(text: string): string | undefined {
  // The library also reads octal and short forms, which the system refuses.
  const version = isIP(text);
  // Most are IPv4, and of those the system knows one spelling only.
  if (version === 4) return text;
  if (version === 0) return undefined;
  const address = ipaddr.IPv6.parse(withoutZone(text).replace(COMPATIBLE, '0::'));
  return (address.isIPv4MappedAddress() ? address.toIPv4Address() : address).toString();
}

/**
 * The network that a normal address lies in, of so many bits in either family:
 * `203.0.113.0/24`, `2001:db8:1::/48`. What is no address is its own network.
 */
export function networkOf(address: string, ipv4Bits: number, ipv6Bits: number): string {
  const version = isIP(address);
  if (version === 0) return address;
  const [family, bits] = version === 4 ? ([ipaddr.IPv4, ipv4Bits] as const) : ([ipaddr.IPv6, ipv6Bits] as const);
  return `${family.networkAddressFromCIDR(`${withoutZone(address)}/${bits}`)}/${bits}`;
}

/** A zone is a word of the system it comes from, of any characters. */
function withoutZone(address: string): string {
  const zone = address.indexOf('%');
  return zone < 0 ? address : address.slice(0, zone);
}
