import { isIP, type Socket } from 'node:net';
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  credentials,
  InterceptingCall,
  Metadata,
} from '@grpc/grpc-js';

export interface YellowstoneEndpoint {
  /** `http://host:port` in the clear, `https://host[:port]` with TLS. */
  readonly url: string;
  /** Sent as `x-token`. */
  readonly token: string | undefined;
  /** PEM of the authority that signed the server's certificate, where it is none of the public ones. */
  readonly certificateAuthority?: Buffer | undefined;
}

export interface SubscribeStream {
  readonly stream: ClientDuplexStream<Buffer, Buffer>;
  /**
   * Asks the server for nothing more until `resume`. A stream's own `pause`
   * would let sixteen messages pile up before it: this one stops at the wire.
   */
  pause(): void;
  resume(): void;
  /** Of the connection, so far: more while parts of a message come. */
  bytesRead(): number;
  close(): void;
}

const SUBSCRIBE = '/geyser.Geyser/Subscribe';
/** The largest blocks seen are some tens of megabytes. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/**
 * Bytes that a server may send ahead of us. HTTP/2's default of 64 KiB allows one megabyte a second over a line of 60
 * ms; mainnet at its fullest needs 25.
 */
export const WINDOW_BYTES = 8 * 1024 * 1024;

/** Opens the two-way stream with raw frames: bytes in, bytes out, no generated codecs. */
export function openSubscribeStream(endpoint: YellowstoneEndpoint): SubscribeStream {
  const { protocol, hostname, port } = new URL(endpoint.url);
  const secure = protocol === 'https:';
  const channel = secure ? tlsTo(hostname, endpoint.certificateAuthority) : credentials.createInsecure();
  let socket: Socket | undefined;
  onConnect(channel, (opened) => {
    socket = opened;
  });
  const client = new Client(`${hostname}:${port === '' ? (secure ? 443 : 80) : port}`, channel, {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    // We reconnect ourselves, from the right slot, and not over a connection whose other end may be what is broken.
    'grpc.enable_retries': 0,
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = new Metadata();
  if (endpoint.token !== undefined) metadata.set('x-token', endpoint.token);
  const gate = new ReadGate();
  const stream = client.makeBidiStreamRequest<Buffer, Buffer>(
    SUBSCRIBE,
    (bytes) => bytes,
    (bytes) => bytes,
    metadata,
    { interceptors: [(options, next) => new GatedCall(next(options), gate)] },
  );
  return {
    stream,
    pause: () => gate.shut(),
    resume: () => gate.open(),
    bytesRead: () => socket?.bytesRead ?? 0,
    close() {
      stream.cancel();
      client.close();
    },
  };
}

/**
 * TLS names the server, and an address is no name: Node 26 refuses one, which the library gives all the same. Without a
 * name the certificate is held against the host, by its addresses.
 */
function tlsTo(hostname: string, authority: Buffer | undefined): ChannelCredentials {
  const tls = credentials.createSsl(authority);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return tls;
  const create = tls._createSecureConnector.bind(tls);
  tls._createSecureConnector = (...words) => {
    const connector = create(...words) as ReturnType<typeof create> & { connectionOptions: { servername?: string } };
    delete connector.connectionOptions.servername;
    return connector;
  };
  return tls;
}

/** Tells of the connection below HTTP/2, which the library keeps to itself. */
function onConnect(channel: ChannelCredentials, tell: (socket: Socket) => void): void {
  const create = channel._createSecureConnector.bind(channel);
  channel._createSecureConnector = (...words) => {
    const connector = create(...words);
    const connect = connector.connect.bind(connector);
    connector.connect = (socket) => {
      tell(socket);
      return connect(socket);
    };
    return connector;
  };
}

/** Lets requests for the next message through, or keeps the last one until it is opened. */
class ReadGate {
  private isShut = false;
  private waiting: (() => void) | undefined = undefined;

  pass(read: () => void): void {
    if (this.isShut) this.waiting = read;
    else read();
  }

  shut(): void {
    this.isShut = true;
  }

  open(): void {
    this.isShut = false;
    this.waiting?.();
    this.waiting = undefined;
  }
}

class GatedCall extends InterceptingCall {
  private readonly gate: ReadGate;

  constructor(call: ConstructorParameters<typeof InterceptingCall>[0], gate: ReadGate) {
    super(call);
    this.gate = gate;
  }

  override startRead(): void {
    this.gate.pass(() => super.startRead());
  }
}
