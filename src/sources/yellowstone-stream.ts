import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';

export interface YellowstoneEndpoint {
  /** `http://host:port` in the clear, `https://host[:port]` with TLS. */
  readonly url: string;
  /** Sent as `x-token`. */
  readonly token: string | undefined;
}

export type SubscribeStream = ClientDuplexStream<Buffer, Buffer>;

const SUBSCRIBE = '/geyser.Geyser/Subscribe';
/** The largest blocks seen are some tens of megabytes. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const KEEPALIVE_MS = 20_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;

/** Opens the two-way stream with raw frames: bytes in, bytes out, no generated codecs. */
export function openSubscribeStream(endpoint: YellowstoneEndpoint): { stream: SubscribeStream; close: () => void } {
  const { protocol, hostname, port } = new URL(endpoint.url);
  const secure = protocol === 'https:';
  const client = new Client(
    `${hostname}:${port === '' ? (secure ? 443 : 80) : port}`,
    secure ? credentials.createSsl() : credentials.createInsecure(),
    {
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      // We reconnect ourselves, from the right slot.
      'grpc.enable_retries': 0,
    },
  );
  const metadata = new Metadata();
  if (endpoint.token !== undefined) metadata.set('x-token', endpoint.token);
  const stream = client.makeBidiStreamRequest<Buffer, Buffer>(
    SUBSCRIBE,
    (bytes) => bytes,
    (bytes) => bytes,
    metadata,
  );
  return {
    stream,
    close() {
      stream.cancel();
      client.close();
    },
  };
}
