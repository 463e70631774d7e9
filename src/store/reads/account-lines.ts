import type { Clock } from '../../kernel/clock.ts';
import { AccountLine, type LineLimits } from './account-line.ts';
import { ReadFault } from './read-fault.ts';
import type { Asker, Reader } from './reader.ts';

/** Who would pay for a read. `W` waits. */
export interface Payers<W> {
  /** Askers by the line whose turn it is; nobody in the line of the service's own. */
  readonly byLine: ReadonlyMap<AccountLine<W>, readonly Asker[]>;
  /** Others wait for it who are over their share. */
  readonly lacksSome: boolean;
}

/** The service's own reads are a line of their own, with a key of its own. */
export const OWN = 'service';

export interface AccountLinesOptions<W> {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly limits: LineLimits & { readonly places: number };
  /** Told that a request which was let in has left its line. */
  readonly left: (line: AccountLine<W>, asker: Asker) => void;
}

/** The lines of all accounts that read or wait to, and the requests that are let into them. */
export class AccountLines<W> {
  /** The line of the service's own reads. */
  readonly own: AccountLine<W>;
  readonly #lines = new Map<string, AccountLine<W>>();
  readonly #options: AccountLinesOptions<W>;

  constructor(options: AccountLinesOptions<W>) {
    this.#options = options;
    const { limits } = options;
    this.own = new AccountLine(OWN, { ...limits, perAccount: limits.places, perKey: limits.places });
  }

  get size(): number {
    return this.#lines.size;
  }

  /** None when nobody may or wants to. */
  payers(reader: Reader): Payers<W> {
    if (reader.left !== undefined) return { byLine: new Map(), lacksSome: false };
    const askers = reader.askers();
    if (askers.length === 0) return { byLine: new Map([[this.own, []]]), lacksSome: false };
    const byLine = new Map<AccountLine<W>, Asker[]>();
    let lacksSome = false;
    for (const asker of askers) {
      if (!this.#admit(asker)) {
        lacksSome ||= asker.left === undefined;
        continue;
      }
      const line = this.#lineOf(asker.share.account);
      const ofLine = byLine.get(line);
      if (ofLine === undefined) byLine.set(line, [asker]);
      else ofLine.push(asker);
    }
    return { byLine, lacksSome };
  }

  /** Fault that tells those who ask why they are not let in, and when one of them may be. */
  overShare(askers: readonly Asker[]): ReadFault {
    const asker = askers.find(({ left }) => left === undefined);
    const freeAt = asker === undefined ? undefined : this.#lineOf(asker.share.account).freeAt(asker);
    const waitMs = freeAt === undefined ? 0 : freeAt - this.#options.clock.elapsed();
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return new ReadFault('over_share', 'too many reads at once: as many requests are being answered', seconds);
  }

  forgetIdle(line: AccountLine<W>): void {
    if (line.isIdle) this.#lines.delete(line.account);
  }

  /** Lets a request in for as long as it lasts, if it is not in already. */
  #admit(asker: Asker): boolean {
    if (asker.left !== undefined) return false;
    const line = this.#lineOf(asker.share.account);
    if (line.has(asker)) return true;
    if (!line.hasRoomFor(asker)) return false;
    line.add(asker, this.#options.clock.elapsed() + asker.patienceMs);
    asker.onLeave(() => {
      line.remove(asker);
      this.#options.left(line, asker);
    });
    return true;
  }

  #lineOf(account: string): AccountLine<W> {
    const known = this.#lines.get(account);
    if (known !== undefined) return known;
    const line = new AccountLine<W>(account, this.#options.limits);
    this.#lines.set(account, line);
    return line;
  }
}
