import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config.ts';

/** A command that can be typed behind `mintscope`. */
export interface Command {
  /** Shown for `--help`. */
  readonly usage: string;
  /** @throws {CommandMisuse} when the words are not understood. */
  run(config: Config, words: readonly string[]): Promise<void>;
}

/** A command's words were not understood. The message is for the person who typed them. */
export class CommandMisuse extends Error {
  override readonly name = 'CommandMisuse';
}

/** Takes a command's words apart. @throws {CommandMisuse} for a word that is not among them. */
export function readWords<const T extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: T,
  { allowPositionals = false }: { readonly allowPositionals?: boolean } = {},
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals });
  } catch (error) {
    throw new CommandMisuse(error instanceof Error ? error.message : String(error));
  }
}
