import { expect, it } from 'vitest';
import { cityName } from './city-names.ts';

it.each([
  ['Frankfurt am Main', 'Frankfurt'],
  ['Europe/Frankfurt am Main', 'Frankfurt'],
  ['America/Argentina/Buenos Aires', 'Buenos Aires'],
  ['City of London', 'London'],
  ['Europe/City of London', 'London'],
  ['Frankfurt (Oder)', 'Frankfurt (Oder)'],
  ['Frankfurt Main Flughafen', 'Frankfurt Main Flughafen'],
  ['Offenbach am Main', 'Offenbach am Main'],
  ['London', 'London'],
  ['frankfurt am main', 'frankfurt am main'],
  ['Tsuen Wan', 'Tsuen Wan'],
  ['Europe/', ''],
])('%s is told as %s', (told, name) => {
  expect(cityName(told)).toBe(name);
});
