import { expect, it } from 'vitest';
import { createStepSize } from './step-size.ts';

it('halves what fails down to the least, and grows again behind steps that go through in a row', () => {
  const size = createStepSize({ least: 100, most: 800 });
  size.failed();
  expect(size.now).toBe(400);
  for (let step = 0; step < 15; step += 1) size.went();
  expect(size.now).toBe(400);
  size.failed();
  for (let step = 0; step < 15; step += 1) size.went();
  expect(size.now).toBe(200);
  size.went();
  expect(size.now).toBe(400);
  for (let step = 0; step < 100; step += 1) size.went();
  expect(size.now).toBe(800);
  for (let failure = 0; failure < 9; failure += 1) size.failed();
  expect(size.now).toBe(100);
});
