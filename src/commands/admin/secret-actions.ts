import type { AdminAction } from './admin-action.ts';

export const SECRET_ACTIONS: readonly AdminAction[] = [
  {
    form: 'secrets renew',
    help: 'the service stopped: another token for every stream and an end of all page sessions, under the key at hand or a new one',
    makesKey: true,
    run: ({ secrets }) => secrets.renew(),
  },
];
