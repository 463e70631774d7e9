import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../test/support/random.ts';
import { fold } from './fold.ts';

const ZALGO = 'P\u0335\u0321E\u0301\u0302\u0303\u0304\u0305P\u0489E\u20dd';

describe('fold', () => {
  it.each([
    ['PEPE', 'pepe'],
    ['$PEPE', 'pepe'],
    ['РЕРЕ', 'pepe'],
    ['ΡΕΡΕ', 'pepe'],
    ['ＰＥＰＥ', 'pepe'],
    ['𝐏𝓔𝕻𝙴', 'pepe'],
    ['ⓅⒺⓅⒺ', 'pepe'],
    ['🅿🅴🅿🅴', 'pepe'],
    ['🇵🇪🇵🇪', 'pepe'],
    ['ᴘᴇᴘᴇ', 'pepe'],
    ['Pépè', 'pepe'],
    [ZALGO, 'pepe'],
    ['P\u200bE\u200dP\ufe0fE\u2060', 'pepe'],
    ['\u202ePEPE\u202c', 'pepe'],
    ['P\u3164EP\u2800E', 'pepe'],
    ['PE\u0000PE', 'pepe'],
    ['ΗΟΝΚ', 'honk'],
    ['ВОΝК', 'bonk'],
    ['Ѕоӏ', 'sol'],
    ['ﬁsh', 'fish'],
    ['Straße', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['dog-wif  HAT!!', 'dog wif hat'],
    ['Don’t', 'dont'],
    ["Don't", 'dont'],
    ['狗狗币', '狗狗币'],
    ['도지', '도지'],
    ['🐸🐸', '🐸🐸'],
    ['👍🏽', '👍'],
    ['!!', ''],
    ['\u200b\u200d\ufe0f', ''],
    ['\u0301\u0302\u0303', ''],
    ['\ufffd', ''],
    ['', ''],
  ])('reads %j as %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('changes nothing of what is folded, whatever it is made of', () => {
    for (let tries = 0; tries < 3_000; tries += 1) {
      const letters = Array.from({ length: randomBetween(1, 8) }, () => String.fromCodePoint(randomLetter()));
      const folded = fold(letters.join(''));
      expect(fold(folded), JSON.stringify(letters)).toBe(folded);
    }
  });

  it('reads capitals and small letters of every alphabet as the same', () => {
    for (const first of [0x41, 0x391, 0x410, 0xc0, 0x100, 0x400, 0x460]) {
      for (let code = first; code < first + 48; code += 1) {
        const letter = String.fromCodePoint(code);
        expect(fold(letter.toUpperCase()), letter).toBe(fold(letter.toLowerCase()));
      }
    }
  });
});

/** Anything but halves of surrogate pairs, often of the alphabets that are folded. */
function randomLetter(): number {
  if (randomBetween(0, 1) === 0) return randomBetween(0x20, 0x52f);
  const code = randomBetween(0x20, 0x1ffff);
  return code >= 0xd800 && code <= 0xdfff ? 0x61 : code;
}
