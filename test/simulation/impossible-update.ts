import { SlotStatus, SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import type { Impossible } from './source-adversity.ts';

/** No slot, and no count. */
const BEYOND_U32 = String(2 ** 40);

/** A block's update with a number in it that cannot be. */
export function impossibleUpdate(update: Uint8Array, what: Impossible['what']): Uint8Array {
  if (what === 'status') return update;
  const message = SubscribeUpdate.decode(update);
  if (message.block === undefined) throw new Error('an update without a block');
  if (what === 'parent') message.block.parentSlot = BEYOND_U32;
  else message.block.executedTransactionCount = BEYOND_U32;
  return SubscribeUpdate.encode(message).finish();
}

/** A confirmed slot that cannot be. */
export function impossibleStatus(): Uint8Array {
  return SubscribeUpdate.encode(
    SubscribeUpdate.fromPartial({
      filters: ['mintscope'],
      slot: { slot: BEYOND_U32, parent: '1', status: SlotStatus.SLOT_CONFIRMED },
    }),
  ).finish();
}
