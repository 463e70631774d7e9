import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
/** Those that a secret reaches: to features a token is a coin. */
const ROOMS = ['accounts', 'http', 'handlers', 'contract'];

/** Texts and hashes of secrets, compared in a way that ends at the first difference. */
const EARLY_END =
  /\b\w*(hash|digest|token|secret|signature|keyText) (===|!==) (?!undefined|null|'')|(===|!==) \(?(\w+\.)*\w*(hash|digest|[tT]oken|secret)\b|\.(equals|compare)\(/;

const FILES = ROOMS.flatMap((room) =>
  readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${room}/${file}`),
);

it('compares what a stranger sends with a secret in the same time, whatever it is', () => {
  expect(FILES.length).toBeGreaterThan(100);
  const found = FILES.filter((file) => EARLY_END.test(readFileSync(join(SRC, file), 'utf8')));
  expect(found).toEqual([]);
  expect(readFileSync(join(SRC, 'accounts/keys/key-directory.ts'), 'utf8').match(/timingSafeEqual\(/g)).toHaveLength(2);
});

it.each(['stored.hash === hash', 'if (token !== sent) return', 'hash.equals(other)', 'x === session.token'])(
  'would see %s',
  (line) => {
    expect(EARLY_END.test(line)).toBe(true);
  },
);
