import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { bodyOf, doneBody, listBody } from '../../handlers/json-answer.ts';
import { createStream, deleteStream, listStreams, rotateStream, updateStream } from './contract-streams.ts';
import { listOwnerOf } from './list-owner.ts';
import type { StreamStore } from './stream-store.ts';

export function streamRoutes(streams: StreamStore): readonly BoundRoute[] {
  return [
    bind(listStreams, (_params, _query, call) => listBody(streams.list(listOwnerOf(call)))),
    bind(createStream, (_params, _query, call) => {
      const { name, kinds, wallet_list_id, dev_list_id, min_sol: minSol } = call.body;
      const walletListId = wallet_list_id ?? '';
      const devListId = dev_list_id ?? '';
      return bodyOf(streams.create(listOwnerOf(call), { name, kinds, walletListId, devListId, minSol }));
    }),
    bind(updateStream, ({ id }, _query, call) => {
      const { name, kinds, wallet_list_id, dev_list_id, min_sol: minSol, active } = call.body;
      const lists = { walletListId: readList(wallet_list_id), devListId: readList(dev_list_id) };
      return bodyOf(streams.update(listOwnerOf(call), id, { name, kinds, ...lists, minSol, active }));
    }),
    bind(rotateStream, ({ id }, _query, call) => bodyOf(streams.rotate(listOwnerOf(call), id))),
    bind(deleteStream, ({ id }, _query, call) => doneBody(streams.delete(listOwnerOf(call), id))),
  ];
}

/** Null names no list, as empty does; undefined leaves the one there is. */
function readList(sent: string | null | undefined): string | undefined {
  return sent === null ? '' : sent;
}
