import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type FromChain =
  | { readonly type: 'listening'; readonly url: string }
  /** So many blocks have gone out so far, the newest so late. */
  | { readonly type: 'sent'; readonly blocks: number; readonly behindMs: number }
  /** Somebody subscribed once more. */
  | { readonly type: 'again' }
  | { readonly type: 'end' };

export interface ChainOptions {
  readonly path: string;
  /** Of the file. */
  readonly blocks: number;
  /** The first ones, which come as fast as they are taken. */
  readonly atOnce: number;
}

/** A chain of mainnet's load that another process plays. */
export interface PlayedChain {
  readonly pid: number;
  /** Settings of a service that follows it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Lets the other blocks come, at the chain's pace. */
  goOn(): void;
  /** Blocks sent so far. */
  readonly sent: number;
  /** Milliseconds that the newest block went out too late, and the most that any did. */
  readonly behindMs: { readonly newest: number; readonly most: number };
  /** Undefined while it goes on. */
  readonly ended: boolean;
  /** @throws when the service had to subscribe again: it has not seen the chain that was meant. */
  assertWhole(): void;
  stop(): Promise<void>;
}

export async function playChain({ path, blocks, atOnce }: ChainOptions): Promise<PlayedChain> {
  const file = fileURLToPath(new URL('chain-process.ts', import.meta.url));
  const child = fork(file, [path, `${blocks}`, `${atOnce}`], { execArgv: ['--import', 'tsx'] });
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }];
  const seen = { sent: 0, newest: 0, most: 0, ended: false, again: false };
  child.on('message', (message: FromChain) => {
    if (message.type === 'again') seen.again = true;
    else if (message.type === 'end') seen.ended = true;
    else if (message.type === 'sent') {
      seen.sent = message.blocks;
      seen.newest = message.behindMs;
      seen.most = Math.max(seen.most, message.behindMs);
    }
  });
  return {
    pid: child.pid!,
    settings: { MINTSCOPE_SOURCE: 'yellowstone', YELLOWSTONE_URL: url, MINTSCOPE_CHAIN: 'simulator' },
    goOn() {
      child.send('go on');
    },
    get sent() {
      return seen.sent;
    },
    get behindMs() {
      return { newest: seen.newest, most: seen.most };
    },
    get ended() {
      return seen.ended;
    },
    assertWhole() {
      if (seen.again) throw new Error('the service lost its stream of blocks, and asked for the chain anew');
      if (child.exitCode !== null) throw new Error(`the process that plays the chain ended with ${child.exitCode}`);
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
