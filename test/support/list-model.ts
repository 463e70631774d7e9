import type {
  Favorite,
  GroupMember,
  Stream,
  StreamKind,
  WalletGroup,
} from '../../src/accounts/lists/contract-shapes.ts';
import type { ListOwner } from '../../src/accounts/lists/list-owner.ts';
import type { ListAnswers } from '../../src/accounts/lists/lists.ts';
import { ApiError } from '../../src/contract/errors.ts';

interface Kept {
  readonly groups: Map<string, { name: string; created_at: string; updated_at: string; members: GroupMember[] }>;
  readonly favorites: Map<string, Favorite>;
  readonly streams: Map<number, Stream>;
}

/**
 * Lists in plain maps, one set an owner: what the stores must be indistinguishable
 * from, as long as no bound but that of streams is reached and no two calls have the same time.
 */
export function createListModel(clock: { now(): number }, streamLimit: number): ListAnswers {
  const owners = new Map<string, Kept>();
  let lastStream = 0;

  function of({ wallet }: ListOwner): Kept {
    const kept = owners.get(wallet) ?? { groups: new Map(), favorites: new Map(), streams: new Map() };
    owners.set(wallet, kept);
    return kept;
  }
  const now = () => new Date(clock.now()).toISOString();

  function groupOf(owner: ListOwner, id: string, withMembers: boolean): WalletGroup | undefined {
    const group = of(owner).groups.get(id);
    if (group === undefined) return undefined;
    const { members, ...rest } = structuredClone(group);
    return { id, count: members.length, ...rest, ...(withMembers ? { members } : {}) };
  }

  function resolve(owner: ListOwner, stream: Stream, former: Stream | undefined): Stream {
    const { wallet_list_id: walletList, dev_list_id: devList, active } = stream;
    if (stream.kinds.includes('swaps') && walletList === '') throw new ApiError('wallet_list_required');
    const read = (id: string, before: string | undefined, code: 'group_not_found' | 'dev_list_invalid') => {
      const group = of(owner).groups.get(id);
      const isRefused = id !== '' && group === undefined && (active || id !== before);
      if (isRefused) throw new ApiError(code);
      return group?.members.map(({ wallet }) => wallet) ?? [];
    };
    return {
      ...stream,
      wallets: read(walletList, former?.wallet_list_id, 'group_not_found'),
      devs: read(devList, former?.dev_list_id, 'dev_list_invalid'),
    };
  }

  return {
    groups: {
      list: async (owner, withMembers) =>
        [...of(owner).groups.keys()].flatMap((id) => groupOf(owner, id, withMembers) ?? []),
      find: async (owner, id) => groupOf(owner, id, true),
      async create(owner, { id = '', name }) {
        if (of(owner).groups.has(id)) throw new ApiError('group_exists');
        of(owner).groups.set(id, { name, created_at: now(), updated_at: now(), members: [] });
        return { ...groupOf(owner, id, true), id } as WalletGroup;
      },
      async rename(owner, id, name) {
        const group = of(owner).groups.get(id);
        if (group !== undefined && group.name !== name) Object.assign(group, { name, updated_at: now() });
        return group !== undefined;
      },
      delete: async (owner, id) => of(owner).groups.delete(id),
      async add(owner, id, { wallets, note }) {
        const group = of(owner).groups.get(id);
        if (group === undefined) return undefined;
        let added = 0;
        let changed = 0;
        for (const wallet of [...wallets].sort()) {
          const place = group.members.findIndex((member) => member.wallet === wallet);
          const before = group.members[place];
          const after: GroupMember = {
            wallet,
            added_at: before?.added_at ?? now(),
            ...noteOf(note ?? before?.note),
          };
          if (before === undefined) added = group.members.push(after) && added + 1;
          else group.members[place] = after;
          if (before?.note !== after.note) changed += 1;
        }
        if (added + changed > 0) group.updated_at = now();
        return added;
      },
      async remove(owner, id, wallet) {
        const group = of(owner).groups.get(id);
        if (group === undefined) return false;
        const left = group.members.filter((member) => member.wallet !== wallet);
        if (left.length < group.members.length) Object.assign(group, { members: left, updated_at: now() });
        return true;
      },
    },
    favorites: {
      list: async (owner) => [...of(owner).favorites.values()],
      async add(owner, wallet, alias) {
        const named = alias ?? of(owner).favorites.get(wallet)?.alias;
        of(owner).favorites.set(wallet, named ? { wallet, alias: named } : { wallet });
      },
      async remove(owner, wallet) {
        of(owner).favorites.delete(wallet);
      },
    },
    streams: {
      list: async (owner) => [...of(owner).streams.values()],
      async create(owner, { name, kinds, walletListId, devListId, minSol = 3_000_000_000n }) {
        const { streams } = of(owner);
        if (streams.size >= streamLimit) throw new ApiError('stream_limit');
        const lists = { wallet_list_id: walletListId, dev_list_id: devListId, wallets: [], devs: [] };
        const times = { created_at: now(), updated_at: now() };
        const rest = { name, active: true, kinds: [...kinds] as StreamKind[], min_sol: String(minSol) };
        const stream = resolve(owner, { id: 0, token: '', ...rest, ...lists, ...times }, undefined);
        lastStream += 1;
        streams.set(lastStream, { ...stream, id: lastStream });
        return { ...stream, id: lastStream };
      },
      async update(owner, id, { name, kinds, walletListId, devListId, minSol, active }) {
        const before = of(owner).streams.get(id);
        if (before === undefined) return undefined;
        const after = resolve(
          owner,
          {
            ...before,
            name: name ?? before.name,
            kinds: kinds === undefined ? before.kinds : [...kinds],
            wallet_list_id: walletListId ?? before.wallet_list_id,
            dev_list_id: devListId ?? before.dev_list_id,
            min_sol: minSol === undefined ? before.min_sol : String(minSol),
            active: active ?? before.active,
            updated_at: now(),
          },
          before,
        );
        of(owner).streams.set(id, after);
        return after;
      },
      async rotate(owner, id) {
        const before = of(owner).streams.get(id);
        if (before === undefined) return undefined;
        const after = { ...before, updated_at: now() };
        of(owner).streams.set(id, after);
        return after;
      },
      delete: async (owner, id) => of(owner).streams.delete(id),
    },
  };
}

function noteOf(note: string | undefined): { note?: string } {
  return note === undefined || note === '' ? {} : { note };
}
