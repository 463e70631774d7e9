import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes, streamOf, TEST_SEED } from './random.ts';

const drawn = new Map<string, string>();
const draw = (name: string) => drawn.set(name, randomBytes(16).toString('hex'));

draw('read');
beforeAll(() => void draw('before all'));
afterAll(() => void draw('after all'));

describe('what a test draws', () => {
  it.each(['one', 'another'])('comes from a stream of its own: %s', (name) => {
    draw(name);
    expect(new Set(drawn.values()).size).toBe(drawn.size);
  });

  it('is the same again of the same test, and another of another', () => {
    expect(streamOf('a test').bytes(32)).toEqual(streamOf('a test').bytes(32));
    expect(streamOf('a test').bytes(32)).not.toEqual(streamOf('another').bytes(32));
  });

  it('has one seed in a run, for properties as well', () => {
    expect(String(TEST_SEED)).toBe(process.env.MINTSCOPE_TEST_SEED);
    expect(fc.readConfigureGlobal()).toEqual({ seed: TEST_SEED });
  });

  it('comes from nowhere else, but for names that several processes must not share', () => {
    const unseeded =
      /\bMath\.random\(|import \{[^}]*\b(randomBytes|randomInt|randomUUID|generateKeyPair\w*)\b[^}]*\} from 'node:crypto'/;
    const found = [...filesOf('src', '.test.ts'), ...filesOf('test', '.ts')].filter((path) =>
      unseeded.test(readFileSync(path, 'utf8')),
    );
    expect(found.sort()).toEqual(['test/simulation/credits/spender-process.ts', 'test/support/accounts-engines.ts']);
  });
});

function filesOf(folder: string, ending: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith(ending)).map((path) => `${folder}/${path}`);
}
