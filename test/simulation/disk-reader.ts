import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Random } from '../../src/simulator/random.ts';
import type { Sight } from '../../src/simulator/truth.ts';
import { type JsonRow, swapRows } from './row-truth.ts';
import type { SimulatedNode } from './simulated-node.ts';

/** Asks for the swaps of tokens and holds every answer to the chain. */
export interface DiskReader {
  /** From here on answers are counted. What is stored, up to this slot, has to be in each of them. */
  begin(storedSlot: number): void;
  /** One question. A service that is not there is waited for a little. */
  ask(random: Random): Promise<void>;
  /** Answers since then, by status; 0 is none. */
  end(): Readonly<Record<number, number>>;
  /** The first answer that was wrong, in words. */
  readonly fault: string | undefined;
}

export interface DiskReaderOptions {
  readonly node: SimulatedNode;
  /** Of the API; undefined while there is no service. */
  readonly address: () => string | undefined;
}

const LIMIT = 500;
/** Refusals that say what they are: not now. */
const REFUSALS: ReadonlySet<number> = new Set([429, 503, 504]);
const WAIT_MS = 100;
/** Longer than any answer of the API takes, refusals included. */
const ANSWER_MS = 30_000;

export function createDiskReader({ node, address }: DiskReaderOptions): DiskReader {
  let answers: Record<number, number> = {};
  let fault: string | undefined;
  /** Slots that were stored when it began. */
  let stored = 0;
  const truth = (sight: Sight = 'decoded') =>
    node.chain(node.firstSlot, node.headSlot).map((block) => block.truth.facts(sight));

  /** Rows of the answer are the chain's, in its order, and no stored one is missing. Newer slots may be holes that are filled later. */
  function judge(mint: string, status: number, body: string): string | undefined {
    if (REFUSALS.has(status)) return undefined;
    const where = `the swaps of ${mint} while the disk is full`;
    if (status !== 200) return `${where}: ${status} ${body.slice(0, 200)}`;
    const { data } = JSON.parse(body) as { readonly data: readonly JsonRow[] };
    const rowsAs = (sight: Sight) => swapRows(truth(sight), mint, { failed: false, transfers: false });
    // A block that RPC gave tells what a stream hides of some budgets, so that either view of a row is right.
    const [rows, wire] = [rowsAs('decoded'), rowsAs('wire')];
    const isRow = (row: JsonRow, place: number) =>
      isDeepStrictEqual(row, rows[place]) || isDeepStrictEqual(row, wire[place]);
    let place = 0;
    for (const [at, row] of data.entries()) {
      while (place < rows.length && Number(rows[place]!.slot) > stored && !isRow(row, place)) place += 1;
      if (!isRow(row, place)) {
        return `${where}, row ${at}\n    answered ${JSON.stringify(row)}\n    truth    ${JSON.stringify(rows[place])}`;
      }
      place += 1;
    }
    const isWholePage = data.length === LIMIT;
    const lacking = isWholePage ? 0 : rows.slice(place).filter(({ slot }) => Number(slot) <= stored).length;
    return lacking === 0 ? undefined : `${where}: ${data.length} rows, and ${lacking} more were stored before`;
  }

  return {
    begin(storedSlot) {
      answers = {};
      stored = storedSlot;
    },
    async ask(random) {
      const facts = truth();
      const swaps = random.pick(facts.filter((block) => block.swaps.length > 0)).swaps;
      const { mint } = random.pick(swaps);
      const url = address();
      const path = `/api/tokens/${mint}/swaps?order=asc&limit=${LIMIT}`;
      const answer =
        url === undefined
          ? undefined
          : await fetch(new URL(path, url), {
              headers: { 'x-api-key': 'local-development' },
              signal: AbortSignal.timeout(ANSWER_MS),
            }).catch(() => undefined);
      const body = await answer?.text().catch(() => undefined);
      const status = body === undefined ? 0 : answer!.status;
      answers[status] = (answers[status] ?? 0) + 1;
      if (body === undefined) await systemClock.sleep(WAIT_MS);
      else {
        // A token whose first swap is newer than what is stored may be unknown yet.
        const isNew = !facts.some((block) => block.slot <= stored && block.swaps.some((swap) => swap.mint === mint));
        if (!(isNew && status === 404)) fault ??= judge(mint, status, body);
      }
    },
    end: () => answers,
    get fault() {
      return fault;
    },
  };
}
