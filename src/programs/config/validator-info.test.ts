import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { readValidatorInfo } from './validator-info.ts';

const MARK = 'Va1idator1nfo111111111111111111111111111111' as Address;
const IDENTITY = 'HEL1USMZKAL2odpNBj2oCjffnFGaYwmbGmyewGv1e2TU' as Address;

/** An account as the program's own tool makes it: 643 bytes, zeros behind the text. */
function account({ text = '{"name":"Helius","website":"https://helius.dev"}', length = -1, size = 643 } = {}): Buffer {
  const json = Buffer.from(text);
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(BigInt(length < 0 ? json.length : length));
  const keys = [Buffer.of(2), addressBytes(MARK), Buffer.of(0), addressBytes(IDENTITY), Buffer.of(1)];
  const bytes = Buffer.concat([...keys, count, json]);
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length))]);
}

function changed(at: number, value: number): Buffer {
  const bytes = account();
  bytes[at] = value;
  return bytes;
}

describe('an account of a validator’s words', () => {
  it('tells its name', () => {
    expect(readValidatorInfo(account())).toEqual({ identity: IDENTITY, name: 'Helius' });
    const text = '{"details":"…","name":"1dad | Solfège 👩‍💻","keybaseUsername":"1dad"}';
    expect(readValidatorInfo(account({ text }))?.name).toBe('1dad | Solfège 👩‍💻');
  });

  it.each([
    ['is not signed by the identity', changed(66, 0)],
    ['is of another kind', changed(1, 0)],
    ['has other keys', changed(0, 3)],
    ['ends before its text', account().subarray(0, 80)],
    ['ends before anything', Buffer.alloc(0)],
    ['has a text of the length of the world', account({ length: 2 ** 50 })],
    ['has a text that is longer than it is', account({ length: 570 })],
    ['has no JSON', account({ text: 'Helius' })],
    ['has no object', account({ text: 'null' })],
    ['has no name', account({ text: '{"website":"x"}' })],
    ['has an empty name', account({ text: '{"name":""}' })],
    ['has a name that is no text', account({ text: '{"name":{"a":1}}' })],
    ['has no text', account({ text: '' })],
  ])('tells nothing when it %s', (_what, data) => {
    expect(readValidatorInfo(data)).toBeUndefined();
  });

  it('tells nothing when its text is no UTF-8', () => {
    const bytes = account();
    bytes[85] = 0xff;
    expect(readValidatorInfo(bytes)).toBeUndefined();
  });
});
