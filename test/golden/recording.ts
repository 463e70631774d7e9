import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Texts by name of their section, in files of `recorded/`. A run compares; with MINTSCOPE_RECORD=1 it writes
 * what it finds instead.
 */
export interface Recording {
  /** Undefined when it is as recorded, or was recorded just now; otherwise the first difference. */
  difference(file: string, section: string, found: string): string | undefined;
  /** Sections of its files that are recorded and that nobody compared. */
  unasked(): readonly string[];
  /** Writes what was found, when this is a run that records. */
  close(): void;
}

const FOLDER = fileURLToPath(new URL('recorded/', import.meta.url));
const HEAD = '=== ';
/** Characters told before and behind a difference. */
const BEFORE = 120;
const BEHIND = 160;

const isRecording = process.env.MINTSCOPE_RECORD === '1';

/** The recording in files of these names, which no other test compares. */
export function openRecording(files: readonly string[]): Recording {
  const recorded = new Map(files.map((file) => [file, sectionsOf(read(file))]));
  const found = new Map<string, Map<string, string>>();
  return {
    difference(file, section, text) {
      if (!recorded.has(file)) throw new Error(`${file} is not among the files of this recording`);
      const sections = found.get(file) ?? new Map<string, string>();
      found.set(file, sections.set(section, text));
      if (isRecording) return undefined;
      const before = recorded.get(file)?.get(section);
      if (before === undefined)
        return `${section} is not recorded: run with MINTSCOPE_RECORD=1 and look at what it wrote`;
      return firstDifference(section, before, text);
    },
    unasked() {
      if (isRecording) return [];
      return [...recorded].flatMap(([file, sections]) =>
        [...sections.keys()].filter((name) => !found.get(file)?.has(name)).map((name) => `${file}: ${name}`),
      );
    },
    close() {
      if (!isRecording) return;
      mkdirSync(FOLDER, { recursive: true });
      for (const [file, sections] of found) {
        const texts = [...sections].map(([name, text]) => `${HEAD}${name}\n${text}\n`);
        writeFileSync(FOLDER + file, texts.join('\n'));
      }
    },
  };
}

/**
 * The place at which two texts part, with the heading of the question that is answered there; undefined when they are
 * equal.
 */
export function firstDifference(section: string, recorded: string, found: string): string | undefined {
  if (recorded === found) return undefined;
  let at = 0;
  while (recorded[at] === found[at]) at += 1;
  const question =
    recorded
      .slice(0, at + 1)
      .match(/^--- .*$/gm)
      ?.at(-1) ?? '';
  const cut = (text: string) => text.slice(Math.max(0, at - BEFORE), at + BEHIND);
  return `${section} ${question}\nrecorded: …${cut(recorded)}…\nanswered: …${cut(found)}…`;
}

/** Every file there is. */
export function recordedFiles(): readonly string[] {
  return readdirSync(FOLDER);
}

function read(file: string): string {
  return existsSync(FOLDER + file) ? readFileSync(FOLDER + file, 'utf8') : '';
}

function sectionsOf(text: string): ReadonlyMap<string, string> {
  const parts = `\n${text}`.split(`\n${HEAD}`).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1, -1)];
    }),
  );
}
