import type { Config } from '../config.ts';
import { SOCKET_LIMITS, type SocketLimits } from '../http/sockets/socket-limits.ts';
import { readDescriptorLimit } from '../kernel/descriptors.ts';

/** File descriptors that connections of the API never take: what each part opens at most, or somewhat more. */
const RESERVED_DESCRIPTORS: Readonly<Record<string, number>> = {
  /** Threads, event loops, logs, locks, the pipes of the embedded ClickHouse. */
  process: 64,
  /** 16 sockets of each of the two clients, and those of a start that goes on. */
  store: 40,
  /** A flush, its folder, and what is read again. */
  outbox: 8,
  /** A SQLite file with its log, or the pool to a Postgres. */
  accounts: 24,
  /** 32 calls to the node in either thread, or a stream. */
  source: 72,
  /** 104 fetches. */
  metadata: 112,
};
const RESERVE = Object.values(RESERVED_DESCRIPTORS).reduce((sum, each) => sum + each, 0);
/** The limit when nobody says what it is: usual for systems that do not say more. */
const USUAL_LIMIT = 1_024;
/** However many descriptors there are: an idle connection takes about 10 KiB, a busy one more. */
const MAX_CONNECTIONS = 16_384;

/** The bounds of sockets that this process's limit of descriptors and the settings allow. */
export function socketLimits(
  { connectionsPerAddress, trustedHops }: Pick<Config, 'connectionsPerAddress' | 'trustedHops'>,
  descriptors = readDescriptorLimit() ?? USUAL_LIMIT,
): SocketLimits {
  return {
    ...SOCKET_LIMITS,
    maxConnections: connectionsWithin(descriptors),
    // Behind a proxy all come from one.
    maxPerAddress: trustedHops > 0 ? 0 : connectionsPerAddress,
  };
}

/** Half of a limit that is too low for the whole reserve. */
function connectionsWithin(descriptors: number): number {
  return Math.min(MAX_CONNECTIONS, Math.max(descriptors - RESERVE, Math.floor(descriptors / 2)));
}
