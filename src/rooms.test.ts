import { describe, expect, it } from 'vitest';
import {
  brokenImports,
  circles,
  covers,
  importsOf,
  readImports,
  readImportTable,
  roomOf,
} from '../test/support/import-wall.ts';

const table = readImportTable();
const imports = readImports();

/** The imports as they are, and one more. */
function planted(file: string, target: string) {
  return new Map([...imports, [file, [...(imports.get(file) ?? []), target]]]);
}

describe('the rooms', () => {
  it('import what the table of ARCHITECTURE.md allows, and nothing else', () => {
    expect(imports.size).toBeGreaterThan(500);
    expect(brokenImports(imports, table)).toEqual([]);
  });

  it('have no two files that import each other, over others either, by types either', () => {
    expect(circles(imports)).toEqual([]);
  });

  it('stand in the table, each, and the table names no other, and no part without files', () => {
    const files = [...imports.keys()];
    const names = [...table.rows].flatMap(([room, allowed]) => [room, ...allowed]);
    const known = names.filter((name) => name !== 'everything' && name !== 'nothing');
    expect(known.filter((name) => !files.some((file) => covers(name, file, table)))).toEqual([]);
    expect([...table.parts.keys()].filter((part) => !known.includes(part))).toEqual([]);
    const rows = [...table.rows.keys()];
    const rowless = files.filter((file) => !rows.some((row) => covers(row, file, table)));
    expect([...new Set(rowless.map(roomOf))]).toEqual([]);
  });
});

describe('the wall', () => {
  it.each([
    ['the lowest room and the highest', 'kernel/clock.ts', 'commands/serve.ts'],
    ['books and the API', 'books/book-shelf.ts', 'http/app.ts'],
    ['books and a question', 'books/book-shelf.ts', 'features/launch/launch-rules.ts'],
    ['the API and a feature', 'http/app.ts', 'features/index.ts'],
    ['accounts and the store’s writer', 'accounts/accounts.ts', 'store/clickhouse/write/writer.ts'],
    ['books and the store’s writer', 'books/book-shelf.ts', 'store/clickhouse/write/writer.ts'],
    ['a feature and the store’s writer', 'features/launch/answers.ts', 'store/clickhouse/write/writer.ts'],
    ['features without an arrow', 'features/prices/answers.ts', 'features/movements/funding-reads.ts'],
    ['features against an arrow', 'features/launch/answers.ts', 'features/intelligence/intelligence-rules.ts'],
    [
      'features along an arrow, beyond rules and reads',
      'features/intelligence/answers.ts',
      'features/launch/answers.ts',
    ],
    ['contracts of features', 'features/intelligence/contract.ts', 'features/holders/contract.ts'],
    ['the pack’s answers and another’s contract', 'features/pack/answers.ts', 'features/trades/contract.ts'],
    ['a contract and its answers', 'features/launch/contract.ts', 'features/launch/answers.ts'],
    ['what a token is and a feature', 'token/state.ts', 'features/launch/launch-rules.ts'],
    ['metadata and more of a token than its metadata', 'metadata/metadata.ts', 'token/state.ts'],
    ['the contract and a room', 'contract/route.ts', 'kernel/clock.ts'],
    ['the contract and a package', 'contract/route.ts', 'package fastify'],
    ['the contract and the platform', 'contract/route.ts', 'package node:fs'],
    ['handlers and the framework', 'handlers/bind.ts', 'package fastify'],
    ['the service and its tests', 'kernel/clock.ts', '../test/support/hand-clock.ts'],
    ['the service and a test beside it', 'kernel/clock.ts', 'kernel/log.test.ts'],
    ['a room without a row', 'landing/page.ts', 'kernel/clock.ts'],
  ])('stands between %s', (_what, file, target) => {
    const named = brokenImports(planted(file, target), table);
    expect(named.filter((broken) => broken.startsWith(`${file} → ${target}: `))).toHaveLength(1);
  });

  it.each([
    ['two files', 'chain/address.ts', 'chain/keys/base58.ts'],
    ['files over others', 'store/query.ts', 'token/row-reads.ts'],
    ['a file and itself', 'kernel/clock.ts', 'kernel/clock.ts'],
  ])('sees a circle of %s', (_what, file, target) => {
    expect(circles(planted(file, target))).toContainEqual(expect.arrayContaining([file, target]));
  });

  it('sees imports of values, types, effects and modules that are loaded later, on one line and on several', () => {
    const source = [
      "import { one } from './one.ts';",
      "import type { Two } from '../two.ts';",
      "import {\n  three,\n  type Three,\n} from './three.ts';",
      "export { four } from './four.ts';",
      "export * from './five.ts';",
      "import './six.ts';",
      "import seven from 'seven';",
      "const eight = await import('./eight.ts');",
      "type Nine = import('./nine.ts').Nine;",
      "export const ten = ' from ';",
    ].join('\n');
    const numbers = [
      'a/one.ts',
      'two.ts',
      'a/three.ts',
      'export a/four.ts',
      'export a/five.ts',
      'a/six.ts',
      'package seven',
    ];
    expect(importsOf('a/file.ts', source)).toEqual([...numbers, 'a/eight.ts', 'a/nine.ts']);
  });

  it('sees imports beside comments, in any quotes, and files that are named by their address', () => {
    const source = [
      "import {\n  // The reader's own; (of one)\n  one,\n} from './one.ts';",
      "await import(/* later */ './two.ts');",
      'await import(`./three.ts`);',
      'import { four } from "./four.ts";',
      "const five = new URL('../five.sql', import.meta.url);",
      "const none = 'https://example.com'; // import './none.ts'",
    ].join('\n');
    expect(importsOf('a/file.ts', source)).toEqual(['a/one.ts', 'a/two.ts', 'a/three.ts', 'a/four.ts', 'five.sql']);
  });

  it.each([
    ['a module whose name is put together', "await import('./' + name);"],
    ['a module by require', "createRequire(import.meta.url); require('./other.ts');"],
    ['a path of package.json', "import { x } from '#x';"],
    ['a writer that is handed on', "export { createWriter } from './write/writer.ts';"],
    ['all of the writer, handed on', "export * from './write/writer.ts';"],
  ])('refuses %s', (_, source) => {
    const file = 'store/clickhouse/client.ts';
    const broken = brokenImports(new Map([[file, importsOf(file, source)]]), table);
    expect(broken).toHaveLength(1);
  });

  it('refuses sources in another language', () => {
    expect(brokenImports(new Map([['kernel/wire.js', ['kernel/clock.ts']]]), table)).toHaveLength(1);
  });
});
