import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { FetchFault } from './fetch-fault.ts';

/** Target of a connection: the addresses are those that were checked, and no other is ever dialled. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly encrypted: boolean;
}

/** Opens a connection. Never looks the host up again. */
export type Dial = (target: DialTarget) => Socket;

/** Dials one of the addresses, IPv4 and IPv6 as they answer. The certificate must be the host's, by the usual authorities or `ca` (PEM). */
export function createDial(ca?: string): Dial {
  return ({ host, port, addresses, encrypted }) => {
    const checked = new Set(addresses.map(plainAddress));
    const socket = connect({ host, port, lookup: pinned(addresses), autoSelectFamily: true, noDelay: true });
    socket.once('connect', () => {
      // The address that the system says it is connected to, in case anything above is not what we think.
      if (socket.remoteAddress === undefined || !checked.has(plainAddress(socket.remoteAddress))) {
        socket.destroy(new FetchFault('refused', 'the connection went to an address that was not checked'));
      }
    });
    if (!encrypted) return socket;
    // A server name is a name, and an address none, which Node 26 throws at: of an address the certificate alone must tell.
    const name = isIP(host) > 0 ? {} : { servername: host };
    const authority = ca === undefined ? {} : { ca };
    return secure({ socket, host, ...name, ...authority, ALPNProtocols: ['http/1.1'] });
  };
}

/** The one form of an address that is compared. */
function plainAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]/`).hostname : address;
}

/** A look-up that knows one answer. */
function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_host, options, done) => {
    const [first] = answers;
    if (first === undefined) done(new Error('no address was checked'), '');
    else if (options.all) done(null, answers);
    else done(null, first.address, first.family);
  };
}
