import type { SecretPlace } from './secret-box.ts';

/** A stream's token: sealed for its row and for whoever the row is shown to. */
export function streamTokenPlace(row: {
  readonly id: number;
  readonly account_id: number;
  readonly owner: string;
}): SecretPlace {
  return ['streams.token', row.id, row.account_id, row.owner];
}

/** A setting of the database. */
export function settingPlace(name: string): SecretPlace {
  return ['settings.value', name];
}

/** Of settings: what codes of page sessions are made with. Sealed. */
export const PAGE_SECRET_SETTING = 'page_session_secret';
/** Of settings: id of the key that all secrets of the database are sealed with. */
export const KEY_ID_SETTING = 'secrets_key_id';
/** Of settings: plain text was there, and its pages are to be written anew. */
export const SCRUB_SETTING = 'scrub_due';
