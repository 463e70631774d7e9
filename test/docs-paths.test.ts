import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const NOT_OURS = ['.git', 'node_modules', 'dist', 'data', 'coverage'];
const FILES = filesOf(ROOT);
const FOLDERS = foldersOf(FILES);
const PAGES = FILES.filter((file) => /^(README|ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(file));
/** Folders in which a path may begin that a page names short. */
const STARTS = ['', 'src/', 'src/features/', 'docs/'];
/** Files that nobody has to have: examples of what a reader would write. */
const EXAMPLES = ['utils.ts', 'sign-in.mjs'];

describe('the pages', () => {
  it('name many paths', () => {
    expect(PAGES.length).toBeGreaterThan(20);
    expect(PAGES.flatMap((page) => pathsOf(read(page))).length).toBeGreaterThan(300);
  });

  it.each(PAGES)('%s names no path that is not there', (page) => {
    expect(pathsOf(read(page)).filter((path) => !isThere(path, page))).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    ['`src/kernel/clock.ts`', ['src/kernel/clock.ts']],
    ['`src/gone/`', ['src/gone/']],
    ['`kernel/gone.ts`', ['kernel/gone.ts']],
    ['`gone.ts`', ['gone.ts']],
    ['`launch/*rules.ts`', ['launch/*rules.ts']],
    ['`.ci/run`', ['.ci/run']],
    ['`GET /api/stats`', []],
    ['`application/json`', []],
    ['`src/features/<subject>/`', []],
    ['`npm run lint`', []],
  ])('is seen in %s: %j', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each([
    ['src/kernel/clock.ts', true],
    ['kernel/clock.ts', true],
    ['clock.ts', true],
    ['src/kernel/', true],
    ['launch/*rules.ts', true],
    ['src/kernel/gone.ts', false],
    ['gone.ts', false],
    ['src/gone/', false],
    ['launch/*gone.ts', false],
  ])('%s is there: %s', (path, there) => {
    expect(isThere(path, 'README.md')).toBe(there);
  });
});

function read(page: string): string {
  return readFileSync(`${ROOT}/${page}`, 'utf8');
}

/** Paths of the repository among the texts that a page has in backticks. */
function pathsOf(page: string): string[] {
  const quoted = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  const plain = quoted.filter((text) => /^[\w.*/-]+$/.test(text) && !text.startsWith('/'));
  return plain.filter((text) => {
    const [first = ''] = text.split('/');
    if (!text.includes('/')) return /^[\w.-]+\.(ts|mjs|sql)$/.test(text);
    return STARTS.some((start) => FOLDERS.has(`${start}${first}`));
  });
}

function isThere(path: string, page: string): boolean {
  if (EXAMPLES.includes(path)) return true;
  const name = path.replace(/\/$/, '');
  if (!path.includes('/')) return FILES.some((file) => posix.basename(file) === name);
  const places = [...STARTS.map((start) => `${start}${name}`), posix.join(posix.dirname(page), name)];
  return places.some((place) => {
    if (!place.includes('*')) return FILES.includes(place) || FOLDERS.has(place);
    const pattern = new RegExp(
      `^${place
        .replace(/[.+?^${}()[\]\\]/g, '\\$&')
        .replaceAll('**', '\0')
        .replaceAll('*', '[^/]*')
        .replaceAll('\0', '.*')}$`,
    );
    return FILES.some((file) => pattern.test(file)) || [...FOLDERS].some((folder) => pattern.test(folder));
  });
}

/** Files of the repository, without what is installed, built or kept by a running service. */
function filesOf(folder: string, path = ''): string[] {
  return readdirSync(`${folder}/${path}`, { withFileTypes: true }).flatMap((entry) => {
    const name = posix.join(path, entry.name);
    if (path === '' && NOT_OURS.includes(entry.name)) return [];
    return entry.isDirectory() ? filesOf(folder, name) : [name];
  });
}

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder);
  }
  return folders;
}
