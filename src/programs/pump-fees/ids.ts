import type { Address } from '../../chain/address.ts';

/** Answers both venues' questions about fees, and keeps the configurations that share a coin's creator fees. */
export const PUMP_FEES_PROGRAM = 'pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ' as Address;
/** The only account of its self-CPI events. */
export const PUMP_FEES_EVENT_AUTHORITY = 'D6QxXDt6hhcCpto4HiZKkN2YQ2iZRF5R7S3caCHpUsML' as Address;
