export type StoreErrorCode =
  /** Another process writes to this data folder or this database. */
  | 'store_in_use'
  /** A newer writer took the lease over: this one may not write any more. */
  | 'lease_lost'
  /** The engine does not exist for this platform, or is not installed. */
  | 'engine_missing'
  | 'engine_not_started'
  /** Your ClickHouse does not answer, refuses us, or has no database of that name. */
  | 'server_unusable'
  /** The embedded server ended too often, or does not start again. */
  | 'engine_lost'
  /** The data folder cannot be made or written. */
  | 'folder_unusable'
  /** The disk of the tables is too full to open the store. */
  | 'no_room'
  /** A migration that was applied is not the one we have. */
  | 'migration_drift'
  /** It holds blocks of another chain than the one that is configured. */
  | 'other_chain'
  /** A table's columns are not those of its layout. */
  | 'layout_mismatch'
  /** ClickHouse refused rows for good. They are kept in the outbox. */
  | 'rows_refused'
  /** The outbox cannot be written, say because the disk is full. Nothing more is taken. */
  | 'outbox_failed'
  /** A flush in the outbox is not what was written, and cannot be moved out of the way. */
  | 'outbox_damaged'
  /** A backup could not be made, or not be put back. */
  | 'backup_failed'
  | 'store_closed';

/**
 * A fault of the store, with a code that stays the same over versions. The message is for the operator and holds no
 * secret.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
