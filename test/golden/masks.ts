/** Something that differs from run to run: drawn at random, numbered by a database, or told by the machine. */
interface Mask {
  readonly pattern: RegExp;
  readonly put: string;
}

/** The tables of the statistics, largest first: which of two of nearly one size that is, files decide. */
const TABLES = /"tables":\[([^\]]*)\]/g;

/** Each asks for the whole shape of what it hides, so that another shape is seen. */
const MASKS: readonly Mask[] = [
  // Of requests. Its second half is random.
  { pattern: /\b[0-9A-HJKMNP-TV-Z]{26}\b/g, put: '<request id>' },
  { pattern: /ms_live_[1-9A-HJ-NP-Za-km-z]{38,50}/g, put: '<key>' },
  { pattern: /"prefix":"ms_live_[1-9A-HJ-NP-Za-km-z]{4}"/g, put: '"prefix":"<prefix>"' },
  { pattern: /("nonce":"|\\nNonce: )[1-9A-HJ-NP-Za-km-z]{20,}/g, put: '$1<nonce>' },
  // Of a message that holds a nonce.
  { pattern: /"signature":"[1-9A-HJ-NP-Za-km-z]{85,88}"\}/g, put: '"signature":"<signature>"}' },
  { pattern: /(__Host-mintscope_\w+=)[^;\s]{20,}/g, put: '$1<token>' },
  { pattern: /"token":"[\w-]{32,}"/g, put: '"token":"<token>"' },
  { pattern: /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, put: '<connection>' },
  { pattern: /\bg_[a-z2-7]{8,}\b/g, put: '<group>' },
  { pattern: /\/(keys|ws-subscriptions)\/\d+/g, put: '/$1/<number>' },
  { pattern: /"(id|account_id|key_id)":\d+/g, put: '"$1":<number>' },
  // Of the machine, and of how the store happens to have laid its files.
  {
    pattern: /"(db_size|compressed_bytes|uncompressed_bytes|chunks|bytes|cpus|mem_used|mem_total)":\d+/g,
    put: '"$1":<number>',
  },
  { pattern: /"(load1|load5|load15)":[\d.]+/g, put: '"$1":<number>' },
];

/** The text without what differs from run to run. */
export function masked(text: string): string {
  const left = MASKS.reduce((rest, { pattern, put }) => rest.replace(pattern, put), text);
  return left.replace(TABLES, (_all, rows: string) => `"tables":[${rows.split(',\n').sort().join(',\n')}]`);
}
