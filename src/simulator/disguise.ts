/** Letters of other scripts that look like these. */
const CYRILLIC = new Map(pairs('aаeеoоpрcсxхyуiіsѕjјAАBВCСEЕHНIІJЈKКMМOОPРSЅTТXХYҮ'));
const GREEK = new Map(pairs('aαoοiιuυvνpρAΑBΒEΕHΗIΙKΚMΜNΝOΟPΡTΤXΧYΥZΖ'));

const ZERO_WIDTH_SPACE = '\u200b';
const ZERO_WIDTH_NON_JOINER = '\u200c';
/** From a printable character of ASCII to its full-width form. */
const FULL_WIDTH = 0xfee0;

const DISGUISES: readonly ((text: string) => string)[] = [
  (text) => lettersOf(text, CYRILLIC),
  (text) => lettersOf(text, GREEK),
  (text) => `${text.slice(0, 2)}${ZERO_WIDTH_SPACE}${text.slice(2)}`,
  (text) => `${text.slice(0, 2)}${ZERO_WIDTH_NON_JOINER}${text.slice(2)}`,
  (text) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + FULL_WIDTH)),
];

/** A text that looks the same and is another, in one of several ways by turns. Latin letters are expected in it. */
export function disguise(text: string, turn: number): string {
  return DISGUISES[turn % DISGUISES.length]!(text);
}

function lettersOf(text: string, script: ReadonlyMap<string, string>): string {
  return Array.from(text, (char) => script.get(char) ?? char).join('');
}

function pairs(text: string): [string, string][] {
  const chars = [...text];
  return chars.flatMap((char, place) => (place % 2 === 0 ? [[char, chars[place + 1]!] as [string, string]] : []));
}
