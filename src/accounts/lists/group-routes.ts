import { ApiError } from '../../contract/errors.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { bodyOf, doneBody, listBody } from '../../handlers/json-answer.ts';
import {
  addWallets,
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  removeWallet,
  renameGroup,
} from './contract-groups.ts';
import type { WalletsAdded } from './contract-shapes.ts';
import type { NewMembers } from './group-members.ts';
import type { GroupStore } from './group-store.ts';
import { listOwnerOf } from './list-owner.ts';

export function walletGroupRoutes(groups: GroupStore): readonly BoundRoute[] {
  return [
    bind(listGroups, (_params, { members }, call) => listBody(groups.list(listOwnerOf(call), members))),
    bind(createGroup, (_params, _query, call) => bodyOf(groups.create(listOwnerOf(call), call.body))),
    bind(getGroup, ({ id }, _query, call) => bodyOf(groups.find(listOwnerOf(call), id))),
    bind(renameGroup, ({ id }, _query, call) => doneBody(groups.rename(listOwnerOf(call), id, call.body.name))),
    bind(deleteGroup, ({ id }, _query, call) => doneBody(groups.delete(listOwnerOf(call), id))),
    bind(addWallets, ({ id }, _query, call) => {
      const owner = listOwnerOf(call);
      return addedBody(groups.add(owner, id, readMembers(call.body)));
    }),
    bind(removeWallet, ({ id, wallet }, _query, call) => doneBody(groups.remove(listOwnerOf(call), id, wallet))),
  ];
}

interface SentMembers {
  readonly wallets: readonly string[] | undefined;
  readonly wallet: string | undefined;
  readonly note: string | undefined;
}

/** Several wallets, or one that may have a note: not both, and one of the two. */
function readMembers({ wallets, wallet, note }: SentMembers): NewMembers {
  if (wallets !== undefined) {
    for (const [param, sent] of Object.entries({ wallet, note })) {
      if (sent !== undefined) {
        throw new ApiError('conflicting_params', { param, message: `wallets and ${param} cannot be combined` });
      }
    }
    return { wallets, note: undefined };
  }
  if (wallet === undefined) {
    throw new ApiError('invalid_wallet', { param: 'wallets', message: 'wallets or wallet is required' });
  }
  return { wallets: [wallet], note: note?.trim() };
}

async function addedBody(adding: Promise<number | undefined>): Promise<Buffer | undefined> {
  const added = await adding;
  return added === undefined ? undefined : Buffer.from(JSON.stringify({ ok: true, added } satisfies WalletsAdded));
}
