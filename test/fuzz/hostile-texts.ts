import type { Random } from '../../src/simulator/random.ts';

/** Texts that have broken other services: numbers out of range, names of prototypes, commands of databases, broken Unicode. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nX-Injected: 1',
  '\n',
  '\t',
  '\u202e\u0000',
  '\ufeff',
  '\ud800',
  '𝟙',
  '١٢',
  '5️⃣',
  'İ',
  'ß'.repeat(64),
  '👩‍👩‍👧‍👦'.repeat(20),
  'e\u0301'.repeat(64),
  '-0',
  '+5',
  '5.0',
  '1e2',
  '1e999',
  '0x10',
  '0b1',
  '1_000',
  '007',
  '-1',
  '0',
  'NaN',
  'Infinity',
  '-Infinity',
  '2147483648',
  '9007199254740993',
  '18446744073709551616',
  '9'.repeat(400),
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__proto__[x]',
  "' OR '1'='1",
  "'; DROP TABLE accounts; --",
  '" OR ""="',
  "') UNION SELECT hash FROM api_keys --",
  "1' AND sleep(10) --",
  "' || (SELECT sleep(3)) || '",
  '{mint:String}',
  '%27%20OR%201=1',
  "x' INTO OUTFILE '/tmp/x' FORMAT CSV --",
  "url('http://127.0.0.1:1/')",
  '$1',
  '?',
  '\\',
  "\\'",
  '../../../../etc/passwd',
  '..%2f..%2f',
  '/etc/passwd\0.png',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '#{7*7}',
  '$(id)',
  '`id`',
  '; id',
  '%s%s%n',
  '(a+)+$',
  'a'.repeat(31),
  '1'.repeat(32),
  '1'.repeat(44),
  'z'.repeat(44),
  'A'.repeat(255),
  'A'.repeat(257),
  'A'.repeat(4_000),
  '0O0O'.repeat(11),
  '2026-13-45T99:99:99Z',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '-271821-04-20T00:00:00Z',
  '2026-08-01T10:00:00.651230001234000017Z',
  '2026-08-01T10:00:00+99:99',
  '1785578400',
  '1785578400000',
  '9999999999999',
  '-1785578400',
  'p1-zzzzzzzzzz-zzzzz-zzzzz',
  'p1-0-0-0',
  'x1-5t4tf5-1s-9-uaqi0f',
  'n1-0-0-0-11111111111111111111111111111111',
  't1-zzzzzzzzzz-zzzzz-zzzzz-11111111111111111111111111111111',
  ',',
  ',,,,',
  'a,b,c',
  '*',
  '%',
  '%%',
  '_',
];

/** A text that was acceptable, changed a little. */
export function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const other = random.pick(HOSTILE_TEXTS);
  switch (random.below(12)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + random.pick([...'0Il O\0\'"%,;-é']) + text.slice(at);
    case 2:
      return text + text;
    case 3:
      return ` ${text}`;
    case 4:
      return `${text}\0`;
    case 5:
      return text.toUpperCase();
    case 6:
      return [...text].reverse().join('');
    case 7:
      return text.slice(0, at);
    case 8:
      return `${text},${other}`;
    case 9:
      return `-${text}`;
    case 10:
      return `${text}${'0'.repeat(random.between(1, 60))}`;
    default:
      return text.slice(0, at) + other;
  }
}
