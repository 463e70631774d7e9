import { DataType, load, open } from 'ffi-rs';
import { StoreError } from '../store-error.ts';

/** A port of 127.0.0.1 that nobody but processes of our own user can listen on. */
export interface ReservedPort {
  readonly port: number;
  release(): void;
}

/** Numbers of the sockets interface, which differ between the systems that the engine runs on. */
interface SocketNumbers {
  readonly levelSocket: number;
  readonly reusePort: number;
  /** Kind of a stream's socket, which no child of ours gets where that can be said at once. */
  readonly stream: number;
  /** First bytes of a `sockaddr_in`: its family, behind its length where there is one. */
  readonly addressHead: readonly [number, number];
}

const INTERNET = 2;
const STREAM = 1;
const LINUX: SocketNumbers = { levelSocket: 1, reusePort: 15, stream: STREAM | 0o2000000, addressHead: [2, 0] };
const DARWIN: SocketNumbers = { levelSocket: 0xffff, reusePort: 0x0200, stream: STREAM, addressHead: [16, 2] };
const ADDRESS_BYTES = 16;
const LOOPBACK = [127, 0, 0, 1];
const LIBRARY = 'system';

/**
 * Binds a port without listening on it, and shares it with sockets of our user
 * alone (SO_REUSEPORT). While the engine is down between two starts, a stranger
 * on the machine could otherwise take its port and be told the password by our
 * own clients. Node binds no socket without listening, so the system is asked.
 */
export function reservePort(platform: string = process.platform): ReservedPort {
  const numbers = platform === 'darwin' ? DARWIN : LINUX;
  open({ library: LIBRARY, path: '' });
  const socket = ask('socket', [DataType.I32, DataType.I32, DataType.I32], [INTERNET, numbers.stream, 0]);
  let isHeld = true;
  const release = () => {
    // Its number may be somebody else's by a second time.
    if (isHeld) call('close', [DataType.I32], [socket]);
    isHeld = false;
  };
  try {
    const yes = Buffer.alloc(4);
    yes.writeInt32LE(1);
    const address = Buffer.alloc(ADDRESS_BYTES);
    address.set(numbers.addressHead);
    address.set(LOOPBACK, 4);
    const length = Buffer.alloc(4);
    length.writeInt32LE(ADDRESS_BYTES);
    const option = [DataType.I32, DataType.I32, DataType.I32, DataType.U8Array, DataType.I32];
    ask('setsockopt', option, [socket, numbers.levelSocket, numbers.reusePort, yes, yes.length]);
    ask('bind', [DataType.I32, DataType.U8Array, DataType.I32], [socket, address, ADDRESS_BYTES]);
    ask('getsockname', [DataType.I32, DataType.U8Array, DataType.U8Array], [socket, address, length]);
    return { port: address.readUInt16BE(2), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Calls the system, and throws where it says no. */
function ask(name: string, types: readonly DataType[], values: readonly unknown[]): number {
  const result = call(name, types, values);
  if (result < 0) throw new StoreError('engine_not_started', `no port for the embedded ClickHouse: ${name} failed`);
  return result;
}

function call(funcName: string, types: readonly DataType[], values: readonly unknown[]): number {
  return load({
    library: LIBRARY,
    funcName,
    retType: DataType.I32,
    paramsType: [...types],
    paramsValue: [...values],
  });
}
