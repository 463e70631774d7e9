import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * Real data is not part of the repository. Tests look for it beside the
 * repository, or where MINTSCOPE_FIXTURES points, and skip plainly without it.
 */
const root = process.env.MINTSCOPE_FIXTURES ?? fileURLToPath(new URL('../../../shared/fixtures', import.meta.url));

export const hasFixtures = existsSync(join(root, 'transactions'));

/** The path of a fixture such as `transactions/x.json`, or undefined when it is not there. */
export function fixturePath(name: string): string | undefined {
  const path = join(root, name);
  return existsSync(path) ? path : undefined;
}

/** Text of a fixture; `.gz` is unpacked. Throws when it is not there. */
export function fixtureText(name: string): string {
  const bytes = readFileSync(join(root, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

export interface RealTransaction {
  /** File name without folder. */
  readonly name: string;
  readonly text: string;
  /** A `getTransaction` result, or a Yellowstone update dumped as JSON. */
  readonly json: unknown;
}

export type TransactionFolder = 'transactions' | 'transactions-other' | 'transfers' | 'equities';

/** Files that their source altered, so that no reader can make sense of the whole. Readers must refuse them. */
const DEFECTS: ReadonlyMap<string, string> = new Map([
  [
    '400948243_cpi-amm-buy_exact_quote_in_k13QNvPB.json',
    'its message lost three of the five instructions that its meta speaks of',
  ],
  ['292555733_broken_data_1_F47c3Ciz.json', 'most of its account keys were removed'],
]);

/** The real transactions of a folder, in order of file name, defective ones left out; none without fixtures. */
export function realTransactions(folder: TransactionFolder = 'transactions'): RealTransaction[] {
  return readFolder(folder).filter(({ name }) => !DEFECTS.has(name));
}

/** The real files that no longer hold a consistent transaction. */
export function defectiveTransactions(): RealTransaction[] {
  return [...readFolder('transactions'), ...readFolder('transactions-other')].filter(({ name }) => DEFECTS.has(name));
}

function readFolder(folder: TransactionFolder): RealTransaction[] {
  const path = fixturePath(folder);
  if (path === undefined) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.json') && name !== 'index.json')
    .sort()
    .map((name) => {
      const text = readFileSync(join(path, name), 'utf8');
      return { name, text, json: unwrap(JSON.parse(text)) };
    });
}

/** Entries of a folder's index, by file name. */
export function transactionIndex(folder: 'transactions' | 'transactions-other'): ReadonlyMap<string, RealIndexEntry> {
  const entries = JSON.parse(fixtureText(`${folder}/index.json`)) as RealIndexEntry[];
  return new Map(entries.map((entry) => [entry.file.slice(entry.file.lastIndexOf('/') + 1), entry]));
}

export interface RealIndexEntry {
  readonly file: string;
  readonly signature: string;
  readonly slot?: number;
  readonly kinds?: readonly string[];
  readonly events?: string;
}

/** Some collections keep a transaction in a list of one, or beside notes under `raw`. */
function unwrap(json: unknown): unknown {
  if (Array.isArray(json)) return unwrap(json[0]);
  if (typeof json === 'object' && json !== null && 'raw' in json) return unwrap(json.raw);
  return json;
}
