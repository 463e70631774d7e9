import type { SecretsKeyPlace } from '../../src/store/accounts-db/secrets-key.ts';

/** The key of secrets in databases of tests and benches, which lies in no file. */
export const TEST_KEY_PLACE: SecretsKeyPlace = {
  setting: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  file: '/nowhere/secrets.key',
  mayMake: false,
};
