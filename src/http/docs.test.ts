import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../contract/errors.ts';
import { ANSWER_HEADERS } from '../contract/headers.ts';
import { defaultPrice, routeErrors, routeName } from '../contract/route.ts';
import { ROUTES } from '../routes.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

describe('docs/api.md', () => {
  it('lists every route once, with what it costs at its defaults, and none that does not exist', () => {
    const table = page.slice(page.indexOf('| route |'), page.indexOf('## Read'));
    const rows = [...table.matchAll(/^\| `([A-Z]+ [^`]+)` \|.*\| ([^|]+) \|$/gm)].map(([, name, price]) => [
      name,
      price,
    ]);
    expect(rows.map(([name]) => name).sort()).toEqual(ROUTES.map(routeName).sort());
    for (const route of ROUTES) {
      const [, price = ''] = rows.find(([name]) => name === routeName(route)) ?? [];
      const free = route.access !== 'key';
      expect([routeName(route), /^\S+/.exec(price)?.[0].replace(/,$/, '')]).toEqual([
        routeName(route),
        free ? 'free' : String(defaultPrice(route)),
      ]);
    }
  });

  it('lists every error that a route can answer with, beside its status', () => {
    const codes = new Set(ROUTES.flatMap((route) => routeErrors(route)));
    for (const code of codes) {
      const line = page.split('\n').find((text) => text.startsWith('|') && text.includes(`\`${code}\``));
      expect([code, line]).toEqual([code, expect.stringContaining(String(ERRORS[code].status))]);
    }
  });

  it('names no error that does not exist', () => {
    const section = page.slice(page.indexOf('## Errors'), page.indexOf('## Add a route'));
    for (const row of section.split('\n').filter((line) => /^\| \d/.test(line))) {
      for (const [, word] of row.matchAll(/`([a-z]+_[a-z_]+)`/g)) expect(ERRORS).toHaveProperty(String(word));
    }
  });

  it('explains every header', () => {
    for (const header of Object.keys(ANSWER_HEADERS)) expect(page).toContain(`\`${header}\``);
  });
});
