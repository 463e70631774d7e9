import { ApiError } from '../../contract/errors.ts';
import { ReadFault } from '../../store/reads/read-fault.ts';
import { type Reader, readerNow } from '../../store/reads/reader.ts';

/** Work that takes a core for up to a second: one piece after the other, and of no account more than a few. */
export interface Turns {
  /**
   * Does it when all others before it are done; not at all when by then nobody waits for it any more.
   *
   * @throws {ReadFault} `over_share` when the account has as many pieces waiting as it may.
   * @throws {ApiError} `storage_unavailable` when too many others wait.
   */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export interface TurnLimits {
  readonly waiting: number;
  /** Of an account, the one under way included. */
  readonly ofAccount: number;
}

const RETRY_S = 1;

interface Turn {
  readonly account: string | undefined;
  readonly begin: () => void;
}

export function createTurns(limits: TurnLimits): Turns {
  const waiting = new Set<Turn>();
  let underWay: Turn | undefined;

  function next(): void {
    const [first] = waiting;
    underWay = first;
    if (first === undefined) return;
    waiting.delete(first);
    first.begin();
  }

  function admit(account: string | undefined): void {
    const own = [...waiting, ...(underWay === undefined ? [] : [underWay])].filter((each) => each.account === account);
    if (account !== undefined && own.length >= limits.ofAccount) {
      throw new ReadFault(
        'over_share',
        'as many other windows are being summed up for this account as may be',
        RETRY_S,
      );
    }
    if (waiting.size >= limits.waiting) {
      throw new ApiError('storage_unavailable', {
        message: 'too many windows are being summed up: ask again in a moment',
      });
    }
  }

  /** Waits for its turn. Who leaves before gives the place up at once. */
  function inTurn(reader: Reader): Promise<Turn> {
    const account = reader.askers()[0]?.share.account;
    admit(account);
    return new Promise((resolve, reject) => {
      let forget: () => void = () => {};
      const turn: Turn = {
        account,
        begin() {
          forget();
          resolve(turn);
        },
      };
      waiting.add(turn);
      forget = reader.onLeave((reason) => {
        if (waiting.delete(turn)) reject(reason);
      });
      if (underWay === undefined) next();
    });
  }

  return {
    async take(work) {
      const turn = await inTurn(readerNow());
      try {
        return await work();
      } finally {
        if (underWay === turn) next();
      }
    },
  };
}
