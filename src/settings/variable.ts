import { type TSchema, Type } from 'typebox';

export interface Variable<T extends TSchema> {
  readonly env: string;
  readonly schema: T;
  /** One line for `.env.example`. */
  readonly help: string;
  /** Shown commented out in `.env.example`. */
  readonly example: string;
  readonly default?: string;
  /** The form of text that is expected, where the schema alone would not say it well. */
  readonly expects?: string;
  /** Checks of the text that the schema cannot make. */
  readonly accepts?: (text: string) => boolean;
}

/** Keeps the exact type, so that a setting with a default is known to be there. */
export function variable<const V extends Variable<TSchema>>(definition: V): V {
  return definition;
}

export const Url = (protocols: string) => Type.String({ pattern: `^(${protocols})://[^\\s]+$` });
export const isUrl = (text: string) => URL.canParse(text);
/** The conversion to an integer drops what follows a point. */
export const isWhole = (text: string) => /^\d+$/.test(text);
