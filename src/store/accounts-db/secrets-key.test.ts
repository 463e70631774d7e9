import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomBytes } from '../../../test/support/random.ts';
import { silentLogger } from '../../kernel/log.ts';
import { findSecretsKey, makeSecretsKey } from './secrets-key.ts';
import { readSecretsKeyText } from './secrets-key-text.ts';

const KEY = Buffer.from('4f1c9d0a77e2b35886c1f0de249ab3651d7fe08c92a4b6135ec8d7f1a0934b2e', 'hex');

describe('the text of a key', () => {
  it.each([
    ['hex', KEY.toString('hex')],
    ['hex in capitals', KEY.toString('hex').toUpperCase()],
    ['base64url', KEY.toString('base64url')],
  ])('is 32 bytes in %s', (_how, text) => {
    expect(readSecretsKeyText(text)).toEqual(KEY);
  });

  it.each([
    ['', 'nothing'],
    [KEY.toString('hex').slice(1), 'too few digits'],
    [`${KEY.toString('hex')}0`, 'too many digits'],
    [KEY.toString('base64'), 'plain base64'],
    [`${KEY.toString('base64url').slice(0, -1)}_`, 'bits that are no part of the key'],
    ['0'.repeat(64), 'zeros'],
    ['0123456789abcdef'.repeat(4), 'digits in a row'],
    ['change-me-'.repeat(5).slice(0, 43), 'a placeholder'],
  ])('is not %j: %s', (text) => {
    expect(readSecretsKeyText(text)).toBeUndefined();
  });

  it('is taken of every key that is random', () => {
    for (let i = 0; i < 2_000; i += 1) {
      const key = randomBytes(32);
      expect(readSecretsKeyText(key.toString('base64url'))).toEqual(key);
    }
  });
});

describe('the file of a key', () => {
  let dir: string;
  let file: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-secrets-key-'));
    file = join(dir, 'new', 'secrets.key');
  });
  afterEach(() => rm(dir, { recursive: true }));
  const at = (setting?: string) => ({ setting, file });

  it('is made once by sixteen that start at the same time, whole and for its owner only', async () => {
    const made = await Promise.all(Array.from({ length: 16 }, () => makeSecretsKey(file)));
    expect(new Set(made.map(({ box }) => box.keyId)).size).toBe(1);
    expect(made[0]?.from).toBe(file);
    expect(await readdir(join(dir, 'new'))).toEqual(['secrets.key']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, 'new'))).mode & 0o777).toBe(0o700);
    expect((await findSecretsKey(at()))?.box.keyId).toBe(made[0]?.box.keyId);
  });

  it('never takes the place of a key that is there', async () => {
    await makeSecretsKey(file);
    const before = await readFile(file);
    await makeSecretsKey(file);
    expect(await readFile(file)).toEqual(before);
  });

  it('is not looked at when the setting is there, and missing when neither is', async () => {
    expect(await findSecretsKey(at())).toBeUndefined();
    const held = await findSecretsKey(at(KEY.toString('hex')));
    expect(held?.from).toBe('MINTSCOPE_SECRETS_KEY');
    await makeSecretsKey(file);
    expect((await findSecretsKey(at(KEY.toString('base64url'))))?.box.keyId).toBe(held?.box.keyId);
    expect((await findSecretsKey(at()))?.box.keyId).not.toBe(held?.box.keyId);
  });

  it('becomes its owner’s alone when it was open to others, and the log says once what to do', async () => {
    await makeSecretsKey(file);
    await chmod(file, 0o644);
    const warned: unknown[] = [];
    const log = { ...silentLogger, warn: (...line: unknown[]) => void warned.push(line) };
    await findSecretsKey(at(), log);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await findSecretsKey(at(), log);
    expect(warned).toEqual([[{ file }, expect.stringContaining('mintscope admin secrets renew')]]);
  });

  it.each(['', 'half-a-key-of-hunter2hunter2', `${'hunter2'.repeat(9)}x`])(
    'that holds %j is refused by its name, and what it holds is not shown',
    async (text) => {
      file = join(dir, 'secrets.key');
      await writeFile(file, text, { mode: 0o600 });
      const refused = findSecretsKey(at());
      await expect(refused).rejects.toMatchObject({ name: 'AccountsError', code: 'secrets_key_unusable' });
      await expect(refused).rejects.toThrow(file);
      await expect(refused).rejects.not.toThrow('hunter2');
    },
  );

  it('that cannot be made is refused by its name', async () => {
    await writeFile(join(dir, 'new'), 'a file where the folder should be');
    await expect(makeSecretsKey(file)).rejects.toMatchObject({
      code: 'secrets_key_unusable',
      message: expect.stringContaining(file),
    });
  });
});
