import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type SourceText, sourceTexts } from '../../test/support/source-texts.ts';

/**
 * Whatever a stranger sends reaches a database as a parameter. So no room that
 * answers requests puts SQL together, and each file that does says what it puts in.
 */
const PUT_TOGETHER: Readonly<Record<string, string>> = {
  'ingest/live/stored-wallets.ts': 'addresses as hexadecimal digits of their bytes',
  'ingest/live/stored-transactions.ts': 'names of our own tables',
  'store/accounts-db/fixed-statement.ts': 'texts of ours that are given to it whole',
  'store/accounts-db/settlement-statements.ts': 'placeholders, so many as there are values',
  'store/accounts-db/migrations/accounts-and-credits.ts': 'the id of the operator’s account',
  'store/accounts-db/migrations/sealed-secrets.ts': 'the name of a type',
  'store/clickhouse/backup.ts': 'the operator’s database and folder, both checked',
  'store/clickhouse/chain-record.ts': 'slots that are numbers',
  'store/clickhouse/client.ts': 'names of our own tables and columns',
  'store/clickhouse/migrations.ts': 'our own SQL files, names of our own tables',
  'store/clickhouse/write/data-lock.ts': 'the number of our own process',
  'store/clickhouse/derived/derived-tables.ts': 'our own SQL files, and names of our own tables',
  'store/clickhouse/derived/due-slots.ts': 'names of our own tables, slots that are numbers',
  'store/clickhouse/derived/fill-sums.ts': 'our own SQL files, names of our own tables, slots that are numbers',
  'store/clickhouse/derived/fill.ts': 'our own SQL files, names of our own tables, steps that are numbers',
  'store/clickhouse/embedded/server-config.ts': 'XML with one statement of ours in it',
  'store/clickhouse/write/orphan-rows.ts':
    'names of our own tables and columns, our own SQL files, slots that are numbers',
  'store/clickhouse/write/orphan-sums.ts':
    'names of our own tables and columns, our own SQL files, slots and times that are numbers',
  'store/clickhouse/write/orphan-slots.ts': 'names of our own tables, slots that are numbers',
  'store/clickhouse/write/partial-rows.ts': 'names of our own tables, slots that are numbers',
  'store/clickhouse/read/position-swaps.ts': 'addresses as hexadecimal digits of their bytes',
  'store/clickhouse/read/mint-pages.ts': 'our own SQL, addresses as hexadecimal digits of their bytes',
  'store/clickhouse/read/movements.ts': 'names of our own tables and columns, addresses as hexadecimal digits',
  'store/clickhouse/write/begin-holdings.ts': 'names of our own tables, a number of ours',
  'store/clickhouse/retention.ts': 'names of our own tables, days that are numbers',
  'store/clickhouse/store-id.ts': 'the name of a table of ours',
  'store/clickhouse/store.ts': 'the operator’s database, checked',
  'store/clickhouse/derived/card-rows.ts': 'our own SQL files, names of our own tables, slots that are numbers',
  'store/clickhouse/write/orphan-cards.ts':
    'names of our own tables, mints as hexadecimal digits, slots that are numbers',
  'store/clickhouse/derived/sweep.ts': 'our own SQL files, slots that are numbers',
  'store/clickhouse/verify/verify-doubles.ts': 'names of our own tables and columns',
  'store/clickhouse/verify/verify-wallets.ts': 'names of our own columns, literals out of rows',
  'store/clickhouse/verify/verify.ts': 'our own SQL files, names of our own tables and columns',
  'store/clickhouse/write/writer-fence.ts':
    'names and types of our own columns, an epoch that is a number, an owner whose quotes are escaped',
};

const SQL =
  /\b(SELECT\b.*|INSERT\s+INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET|ALTER\s+TABLE|CREATE\s+(TABLE|DATABASE|VIEW|INDEX)|DROP\s+(TABLE|DATABASE)|TRUNCATE|UNION\s+ALL|ORDER\s+BY|GROUP\s+BY|BACKUP\s+DATABASE|RESTORE\s+DATABASE|PRAGMA)\b/is;
/** Tags that Kysely takes as they are, without making a parameter. */
const RAW = /\b(sql\.(raw|lit|id|literal)|CompiledQuery\.raw)\b/;
/** Kysely's own tag makes a parameter of everything that is put in. */
const PARAMETERS = /\bsql(<[^`]*>)?$/;

const SRC = fileURLToPath(new URL('..', import.meta.url));
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort();

describe('SQL', () => {
  it('is put together in no file but those that say what they put in', () => {
    expect(FILES.length).toBeGreaterThan(300);
    expect(FILES.filter((file) => putsSqlTogether(readFileSync(join(SRC, file), 'utf8')))).toEqual(
      Object.keys(PUT_TOGETHER).sort(),
    );
  });

  it('is put together in no room that answers requests', () => {
    for (const file of Object.keys(PUT_TOGETHER)) expect(file).toMatch(/^(store|ingest)\//);
  });

  it.each([
    ['a template', 'query(`SELECT * FROM keys WHERE hash = #`)'],
    ['a template inside of a template', 'log(`#(query(`DELETE FROM keys WHERE id = #`))`)'],
    ['a sum', `query('SELECT * FROM keys WHERE hash = ' + hash)`],
    ['a sum that ends in it', `query(prefix + ' ORDER BY id')`],
    ['raw text', 'sql.raw(order)'],
  ])('is seen in %s', (_what, source) => {
    expect(putsSqlTogether(withHoles(source))).toBe(true);
  });

  it.each([
    ['a parameter', 'sql`SELECT pg_advisory_lock(#)`'],
    ['a text that is whole', "query('SELECT 1')"],
    ['a comment', '// `SELECT #`'],
    ['a sentence', 'throw new Error(`select a key: #`)'],
  ])('is not seen in %s', (_what, source) => {
    expect(putsSqlTogether(withHoles(source))).toBe(false);
  });

  it('of every question is a file whose holes are parameters', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const text = readFileSync(join(SRC, file), 'utf8').replace(/--.*$/gm, '');
      expect([file, text.match(/\$\{|%s|\$\d|\?/g)]).toEqual([file, null]);
    }
  });
});

/** `#(…)` and `#` stand for holes, so that the samples are no templates themselves. */
function withHoles(sample: string): string {
  const open = `$${'{'}`;
  return sample.replace(/#\((.*)\)`/, `${open}$1}\``).replaceAll('#', `${open}x}`);
}

function putsSqlTogether(source: string): boolean {
  return RAW.test(source) || sourceTexts(source).some(isPutTogether);
}

function isPutTogether({ text, before, after }: SourceText): boolean {
  const isSum = /\+\s*$/.test(before) || /^\s*\+/.test(after);
  const hasHole = text.includes('\0') && !PARAMETERS.test(before);
  return (isSum || hasHole) && isStatement(text);
}

/** Commands of SQL are written in capitals here, sentences are not. */
function isStatement(text: string): boolean {
  const found = SQL.exec(text)?.[0].split(/\s/)[0];
  return found !== undefined && found === found.toUpperCase();
}
