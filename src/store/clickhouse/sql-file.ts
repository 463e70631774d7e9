import { readFileSync } from 'node:fs';

/**
 * Text of a .sql file that lies beside the code that names it, in the sources
 * as in the build, which copies these files.
 */
export function readSqlFile(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** Statements of a script: each ends with a semicolon at the end of a line. */
export function splitStatements(script: string): string[] {
  return script
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^\s*--.*$/gm, '').trim() !== '');
}
