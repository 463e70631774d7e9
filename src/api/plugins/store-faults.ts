import { ClickHouseError } from '@clickhouse/client';
import { AccountsError } from '../../store/accounts-db/accounts-error.ts';
import { StoreError } from '../../store/clickhouse/store-error.ts';
import type { ErrorCode } from '../contract/errors.ts';

/** The store's own limits on a read, by the names it gives its errors. */
const LIMIT_ERRORS = new Set(['TIMEOUT_EXCEEDED', 'TOO_SLOW', 'MEMORY_LIMIT_EXCEEDED', 'QUERY_WAS_CANCELLED']);
/** A connection that cannot be had or was cut. */
const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

/** What a failed read of the store means to a client; undefined when it is a fault of ours. */
export function storeFault(error: Error): ErrorCode | undefined {
  if (error instanceof ClickHouseError) return LIMIT_ERRORS.has(error.type ?? '') ? 'query_timeout' : undefined;
  if (error instanceof StoreError) return 'storage_unavailable';
  if (error instanceof AccountsError) return error.code === 'accounts_unavailable' ? 'storage_unavailable' : undefined;
  return 'code' in error && CONNECTION_ERRORS.has(String(error.code)) ? 'storage_unavailable' : undefined;
}
