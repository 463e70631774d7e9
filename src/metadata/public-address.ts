import { BlockList, isIP } from 'node:net';

/** IPv4 that no public host has: this network, private, shared, loopback, link-local, special, documentation, benchmarks, multicast, reserved. */
const REFUSED_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address by its range: Azure answers there with what a machine may know of itself.
  ['168.63.129.16', 32],
];

/** Everything outside is no unicast address of the internet: loopback, mapped and translated IPv4, local, multicast. */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/** Parts of it that are not: protocol assignments with Teredo and ORCHID, documentation twice, 6to4. */
const REFUSED_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [network, prefix] of REFUSED_IPV4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of REFUSED_IPV6) refused.addSubnet(network, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** True for an IP address, plain and without brackets, of a host on the public internet. False for one with a zone. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  return version === 6 && global.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
