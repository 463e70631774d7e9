import type { Journal, Oddity, OddityCode } from '../../kernel/journal.ts';
import type { Logger } from '../../kernel/log.ts';

/** The number of times that something odd was met. */
export interface OddityCount {
  readonly code: OddityCode;
  /** Name of the program, event or reader it concerns. */
  readonly subject: string;
  /**
   * Text that tells one such oddity of the subject from another: the unknown discriminator, or the bytes of an event of
   * unknown length. `other` stands for all beyond the bound; empty where nothing tells them apart.
   */
  readonly variant: string;
  readonly count: number;
}

export interface OddityCounts {
  readonly journal: Journal;
  list(): readonly OddityCount[];
  /** Notes of these codes so far. */
  total(codes: readonly OddityCode[]): number;
  /** The newest note of each subject. */
  newest(codes: readonly OddityCode[]): readonly Oddity[];
}

/** Told apart; the rest are counted together by their code. They become labels of metrics. */
const MAX_ODDITIES = 256;
/** Of one code and subject, so that one program's oddities leave room for another's. */
const MAX_VARIANTS = 32;
const OTHER = 'other';

/** Counts what is odd in the data, and names each kind once in the log. Nothing that is noted is left out of the counts. */
export function createOddityCounts(log: Logger): OddityCounts {
  const counts = new Map<string, { -readonly [K in keyof OddityCount]: OddityCount[K] }>();
  const variants = new Map<string, number>();
  const totals = new Map<OddityCode, number>();
  const newest = new Map<string, Oddity>();

  function count(code: OddityCode, subject: string, variant: string): boolean {
    const key = `${code} ${subject} ${variant}`;
    const known = counts.get(key);
    if (known !== undefined) known.count += 1;
    else counts.set(key, { code, subject, variant, count: 1 });
    return known === undefined;
  }

  /**
   * The place to count an oddity in: by itself while there is room, then with others of its subject, then of its code.
   */
  function place(oddity: Oddity): [subject: string, variant: string] {
    const { code, subject } = oddity;
    const variant = variantOf(oddity);
    if (counts.has(`${code} ${subject} ${variant}`)) return [subject, variant];
    const kind = `${code} ${subject}`;
    const seen = variants.get(kind) ?? 0;
    if (seen >= MAX_VARIANTS) return [subject, OTHER];
    if (counts.size >= MAX_ODDITIES) return [OTHER, OTHER];
    variants.set(kind, seen + 1);
    return [subject, variant];
  }

  return {
    journal: {
      note(oddity) {
        const { code, detail } = oddity;
        const [subject, variant] = place(oddity);
        totals.set(code, (totals.get(code) ?? 0) + 1);
        newest.set(`${code} ${subject}`, { ...oddity, subject });
        if (count(code, subject, variant)) log.warn({ code, subject, ...detail }, 'odd data, seen first');
      },
    },
    list: () => Array.from(counts.values(), (each) => ({ ...each })),
    newest: (codes) => [...newest.values()].filter(({ code }) => codes.includes(code)),
    total: (codes) => codes.reduce((sum, code) => sum + (totals.get(code) ?? 0), 0),
  };
}

function variantOf({ code, detail }: Oddity): string {
  switch (code) {
    case 'unknown_event':
    case 'unknown_instruction':
      return String(detail?.discriminator ?? '');
    case 'event_too_short':
      return String(detail?.bytes ?? '');
    case 'event_tail':
      // Texts make events of one layout differ in length: what is left over tells the new fields.
      return detail?.bytes === undefined ? '' : `+${detail.bytes}`;
    default:
      return '';
  }
}
