import type { Account, ConnectionResource, IssuedKey, KeyResource } from '../resources/account.ts';

const RATE_LIMIT = { rps: 10, burst: 20 };

export const accountExample: Account = {
  account_id: 7,
  wallet: '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6',
  state: 'active',
  plan: 'trial',
  created_at: '2026-08-01T10:00:00.000Z',
  keys: 2,
  streams: 1,
  limits: { keys: 10, streams: 3, connections: 6, rate_limit: RATE_LIMIT },
};

export const keyExample: KeyResource = {
  id: 12,
  name: 'first',
  prefix: 'ms_live_4tZk',
  state: 'active',
  created_at: '2026-08-01T10:00:00.000Z',
  last_used_at: '2026-08-01T11:32:10.250Z',
  pool: 'general',
  rate_limit: RATE_LIMIT,
};

export const budgetKeyExample: KeyResource = {
  id: 13,
  name: 'bot',
  prefix: 'ms_live_9aQw',
  state: 'active',
  created_at: '2026-08-01T10:05:00.000Z',
  pool: 'dedicated',
  rate_limit: { rps: 5, burst: 10 },
  budget: 50_000,
};

/** Made of bytes that are all three: nobody has it. */
export const issuedKeyExample: IssuedKey = {
  ...budgetKeyExample,
  prefix: 'ms_live_CktR',
  key: 'ms_live_CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8Example',
};

export const connectionExample: ConnectionResource = {
  id: '0b8f0c9e-54b0-4f0e-9a57-3f1a3f5f7c11',
  ip: '203.0.113.7',
  opened_at: '2026-08-01T11:00:00.000Z',
  topics: ['sub:17', 'leaders'],
  key_id: 12,
  stream_id: 17,
};
