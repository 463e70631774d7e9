/**
 * Letters that look like one of the Latin alphabet, by the letter that they look like, in lower case. A pair of capital
 * and small letter goes where its capital looks: names of tokens are mostly written in capitals, and both must find each
 * other. What Unicode itself takes apart (accents, full-width and mathematical letters, ligatures) needs no line here.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ',
  b: 'вьβʙƀɓ',
  c: 'сҫᴄƈȼ',
  d: 'ԁᴅđɗð',
  e: 'еεᴇɇəɛєҽ',
  f: 'ғꜰƒ',
  g: 'ԍɡɢɠ',
  h: 'нһηʜħ',
  i: 'іιıɩɪɨ',
  j: 'јϳᴊ',
  k: 'кκᴋƙӄқ',
  l: 'ӏʟłⱡ',
  m: 'мμᴍ',
  n: 'νɴŋɲ',
  o: 'оοᴏøөօ',
  p: 'рρᴘƥᵽ',
  q: 'ԛꞯ',
  r: 'ʀɍ',
  s: 'ѕꜱ',
  t: 'тτᴛŧƭ',
  u: 'ᴜʉ',
  v: 'ѵᴠʋ',
  w: 'ԝωᴡѡ',
  x: 'хχҳ',
  y: 'уүυʏɏƴ',
  z: 'ζᴢƶ',
  ae: 'æӕ',
  oe: 'œ',
  ss: 'ß',
  σ: 'ς',
};

/** First code points of alphabets of letters in boxes and circles, and of flags, which Unicode leaves as they are. */
const BOXED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6] as const;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function readTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [latin, alikes] of Object.entries(LOOK_ALIKES)) {
    for (const alike of alikes) table.set(alike, latin);
  }
  for (const first of BOXED_ALPHABETS) {
    for (let at = 0; at < LETTERS.length; at += 1) table.set(String.fromCodePoint(first + at), LETTERS[at] ?? '');
  }
  return table;
}

/** What a small letter is read as; letters that are read as themselves are left out. */
export const CONFUSABLES: ReadonlyMap<string, string> = readTable();
