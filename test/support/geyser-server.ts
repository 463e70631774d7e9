import { type Metadata, Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { SlotStatus, SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc';

export interface Subscription {
  readonly request: SubscribeRequest;
  readonly metadata: Metadata;
  /** Ping ids the client has sent on this stream. */
  readonly pings: readonly number[];
  /** False when the client reads too slowly: then `drained` tells when to go on. */
  send(update: Uint8Array): boolean;
  drained(): Promise<void>;
  /** True once either side has ended the stream. */
  closed(): boolean;
  /** Ends the stream, with an error when a status is given. */
  end(code?: status, details?: string): void;
}

export interface GeyserServer {
  readonly url: string;
  close(): void;
}

/** PEM texts of a server that proves who it is. */
export interface ServerIdentity {
  readonly key: Buffer;
  readonly certificate: Buffer;
}

/** A Yellowstone server on loopback, with TLS when it has an identity, that leaves every subscription to `serve`. */
export async function startGeyserServer(
  serve: (subscription: Subscription) => void,
  identity?: ServerIdentity,
): Promise<GeyserServer> {
  const server = new Server({ 'grpc.max_send_message_length': -1 });
  server.addService(
    {
      Subscribe: {
        path: '/geyser.Geyser/Subscribe',
        requestStream: true,
        responseStream: true,
        requestDeserialize: (bytes: Buffer) => SubscribeRequest.decode(bytes),
        requestSerialize: (request: SubscribeRequest) => Buffer.from(SubscribeRequest.encode(request).finish()),
        responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    {
      Subscribe(call: ServerDuplexStream<SubscribeRequest, Uint8Array>) {
        const pings: number[] = [];
        let started = false;
        call.on('data', (request: SubscribeRequest) => {
          if (request.ping !== undefined) pings.push(request.ping.id);
          if (started) return;
          started = true;
          serve({
            request,
            metadata: call.metadata,
            pings,
            send: (update) => call.write(update),
            drained: () => new Promise((resolve) => call.once('drain', resolve)),
            closed: () => call.cancelled || call.destroyed,
            end(code, details = '') {
              if (code === undefined) call.end();
              else call.emit('error', { code, details });
            },
          });
        });
        call.on('error', () => {});
        call.on('end', () => call.end());
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentialsOf(identity), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const protocol = identity === undefined ? 'http' : 'https';
  return { url: `${protocol}://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

function credentialsOf(identity: ServerIdentity | undefined): ServerCredentials {
  if (identity === undefined) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [{ private_key: identity.key, cert_chain: identity.certificate }]);
}

/** An update with an empty block of the official codec. */
export function blockUpdate(
  slot: number,
  parentSlot = slot - 1,
  blockhash = `hash${slot}`,
  parentBlockhash = '',
): Uint8Array {
  return SubscribeUpdate.encode(
    SubscribeUpdate.fromPartial({
      filters: ['mintscope'],
      block: { slot: String(slot), parentSlot: String(parentSlot), blockhash, parentBlockhash },
    }),
  ).finish();
}

/** An update with what became of a slot. */
export function slotUpdate(slot: number, status: SlotStatus, parent?: number): Uint8Array {
  return SubscribeUpdate.encode(
    SubscribeUpdate.fromPartial({
      slot: { slot: String(slot), status, ...(parent === undefined ? {} : { parent: String(parent) }) },
    }),
  ).finish();
}

/** The ping that servers send now and then. */
export function pingUpdate(): Uint8Array {
  return SubscribeUpdate.encode(SubscribeUpdate.fromPartial({ ping: {} })).finish();
}

export { SlotStatus, status };
