import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Imports that ARCHITECTURE.md allows between rooms. */
export interface ImportTable {
  /** By room, or part of one: the rooms and parts that it may import. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** By part: patterns of its files, below `src/`. */
  readonly parts: ReadonlyMap<string, readonly RegExp[]>;
}

/** By file below `src/`: what it imports, files below `src/`, others by their path from there, packages as `package typebox`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The two tables of the page. */
export function readImportTable(page = readFileSync(`${ROOT}/ARCHITECTURE.md`, 'utf8')): ImportTable {
  const rows = tableBehind(page, '| room | may import |').map(([rooms, allowed]) => [rooms, namesOf(allowed)] as const);
  const parts = tableBehind(page, '| part | files |').map(
    ([part, files]) => [part, namesOf(files).map((glob) => patternOf(glob.replaceAll('`', '')))] as const,
  );
  return {
    rows: new Map(rows.flatMap(([rooms, allowed]) => namesOf(rooms).map((room) => [room, allowed] as const))),
    parts: new Map(parts),
  };
}

function tableBehind(page: string, head: string): [string, string][] {
  const start = page.indexOf(`${head}\n|---|---|\n`);
  if (start < 0) throw new Error(`no table ${head}`);
  const lines = page.slice(start).split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) => {
    const [, left = '', right = ''] = line.split('|').map((cell) => cell.trim());
    return [left, right];
  });
}

function namesOf(cell: string): string[] {
  return cell.split(',').map((name) => name.trim());
}

function patternOf(glob: string): RegExp {
  const text = glob
    .replace(/[.+?^${}()[\]\\]/g, '\\$&')
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*');
  return new RegExp(`^${text.replaceAll('\0', '.*')}$`);
}

/** Before the names of packages and of the platform's modules. */
const PACKAGE = 'package ';
/** An import or export that names a file, a call of `import`, and an address beside the file. */
const SPECIFIER =
  /^(import|export)\s(?:[^;'"`]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\b(import|require)\(\s*(?:['"`]([^'"`$]+)['"`]\s*\))?|\bnew URL\(\s*['"`](\.[^'"`$]+)['"`],\s*import\.meta\.url/gm;
const STRING_OR_COMMENT = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
/** Stands for an import that nobody can read: its file is put together. */
const UNREADABLE = 'a file that is not named';
/** Before a file that is handed on under this file's own name. */
const HANDED_ON = 'export ';

/** Imports of every file under `src/` that is no test, of types as of values. */
export function readImports(): Imports {
  const files = readdirSync(`${ROOT}/src`, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file) && !file.endsWith('.test.ts'),
  );
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(`${ROOT}/src/${file}`, 'utf8'))] as const));
}

export function importsOf(file: string, source: string): string[] {
  const code = source.replace(STRING_OR_COMMENT, (_, text: string | undefined) => text ?? ' ');
  return [...code.matchAll(SPECIFIER)].map(([, keyword, named, call, called, beside]) => {
    const specifier = named ?? called ?? beside;
    if (specifier === undefined || call === 'require') return UNREADABLE;
    if (!specifier.startsWith('.')) return `${PACKAGE}${specifier}`;
    return `${keyword === 'export' ? HANDED_ON : ''}${posix.join(posix.dirname(file), specifier)}`;
  });
}

/** `features/launch` for what lies in it, else the first folder; of a file beside the folders its name. */
export function roomOf(file: string): string {
  const [first = '', second = '', third] = file.split('/');
  if (second === '') return first.replace(/\.\w+$/, '');
  return first === 'features' && third !== undefined ? `${first}/${second}` : first;
}

const isContract = (file: string) => /^contract[^/]*\.ts$/.test(posix.basename(file));

/** Each import that the table does not allow, as `importing → imported: why`. */
export function brokenImports(imports: Imports, table: ImportTable): string[] {
  return [...imports].flatMap(([file, imported]) =>
    imported.flatMap((target) => {
      const why = whyNot(file, target, table);
      return why === undefined ? [] : [`${file} → ${target}: ${why}`];
    }),
  );
}

function whyNot(file: string, named: string, table: ImportTable): string | undefined {
  const room = roomOf(file);
  if (named === UNREADABLE) return 'nobody can tell what it is';
  if (!/\.(?:ts|mjs)$/.test(file)) return 'sources are .ts, or .mjs where nothing is compiled';
  if (named.startsWith(`${PACKAGE}#`)) return 'files are imported by their own path';
  const target = named.replace(HANDED_ON, '');
  if (named !== target && !isOfSameParts(file, target, table)) return 'it hands on what is not of its own part';
  if (target.startsWith(PACKAGE)) {
    if (room !== 'contract' && !isContract(file)) return room === 'handlers' ? 'handlers take no package' : undefined;
    return target === `${PACKAGE}typebox` ? undefined : 'contracts take typebox alone';
  }
  if (target.startsWith('..')) return 'it lies outside of src';
  if (target.endsWith('.test.ts')) return 'it is a test';
  const isWithin = roomOf(target) === room;
  if (isContract(file) && roomOf(target) !== 'contract' && !isContract(target))
    return 'a contract takes contracts alone';
  if (isWithin) return undefined;
  const rows = [...table.rows].filter(([subject]) => covers(subject, file, table));
  if (rows.length === 0) return `${room} has no row in the table`;
  const allowed = rows.flatMap(([, names]) => names);
  return allowed.some((name) => covers(name, target, table)) ? undefined : `${room} may import ${allowed.join(', ')}`;
}

/** Else whoever may import the one gets the other with it. */
function isOfSameParts(file: string, target: string, { parts }: ImportTable): boolean {
  const partsOf = (each: string) => [...parts].filter(([, patterns]) => patterns.some((pattern) => pattern.test(each)));
  const names = new Set(partsOf(target).map(([name]) => name));
  return roomOf(file) === roomOf(target) && partsOf(file).every(([name]) => names.has(name));
}

/** True when a name of the table stands for a file. */
export function covers(name: string, file: string, { parts }: ImportTable): boolean {
  if (name === 'everything') return true;
  if (name === 'nothing') return false;
  const patterns = parts.get(name);
  if (patterns !== undefined) return patterns.some((pattern) => pattern.test(file));
  return roomPattern(name).test(roomOf(file));
}

const roomPatterns = new Map<string, RegExp>();

function roomPattern(name: string): RegExp {
  const pattern = roomPatterns.get(name) ?? patternOf(name);
  roomPatterns.set(name, pattern);
  return pattern;
}

/** Groups of files that import each other, over however many others, sorted. */
export function circles(imports: Imports): string[][] {
  const places = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  function visit(file: string): number {
    const place = places.size;
    places.set(file, place);
    lowest.set(file, place);
    open.push(file);
    for (const named of imports.get(file) ?? []) {
      const target = named.replace(HANDED_ON, '');
      if (!imports.has(target)) continue;
      const reached = places.has(target) ? (open.includes(target) ? places.get(target)! : place) : visit(target);
      lowest.set(file, Math.min(lowest.get(file)!, reached));
    }
    if (lowest.get(file) === place) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1 || imports.get(file)?.some((named) => named.replace(HANDED_ON, '') === file))
        found.push(circle.sort());
    }
    return lowest.get(file)!;
  }
  for (const file of imports.keys()) if (!places.has(file)) visit(file);
  return found;
}
