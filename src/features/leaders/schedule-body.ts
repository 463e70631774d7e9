import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Written } from '../../contract/written.ts';
import type { EpochSchedule } from '../../leaders/epoch-schedule.ts';
import type { KnownLeaders } from '../../leaders/known-leaders.ts';
import type { NewestPace } from '../../leaders/newest-pace.ts';
import { type Segment, type SegmentsAsked, segmentsOf } from '../../leaders/segments.ts';
import type { SlotEconomics, SlotFigures } from '../../leaders/slot-figures.ts';
import type { LeaderSchedule, LeaderSegment, SlotFees } from './contract.ts';

export interface ScheduleDeps {
  readonly economics: SlotEconomics;
  readonly pace: Pick<NewestPace, 'timeOf' | 'slotMs'>;
  readonly known: KnownLeaders;
}

/** Who led, leads and is to lead around a slot of the schedule's epoch. */
export function scheduleBody(
  { economics, pace, known }: ScheduleDeps,
  schedule: EpochSchedule,
  asked: SegmentsAsked,
): Buffer {
  const { currentSlot } = asked;
  let figures: readonly SlotFigures[] = [];
  const segments = segmentsOf(schedule, asked, (first, last) => {
    figures = economics.economicsOf(first, last);
    return figures;
  });
  const time = pace.timeOf(currentSlot);
  return jsonBody({
    current_slot: currentSlot,
    as_of: time === undefined ? undefined : timeText(time),
    slot_ms: pace.slotMs(),
    epoch: schedule.epoch,
    slot_index: currentSlot - schedule.firstSlot,
    slots_in_epoch: schedule.slots,
    segments: segments.map((segment) => segmentRow(segment, currentSlot, known)),
    slot_fees: feeRows(segments, figures),
  } satisfies Written<LeaderSchedule>);
}

function segmentRow(segment: Segment, currentSlot: number, known: KnownLeaders): Written<LeaderSegment> {
  const { startSlot, endSlot, state, leader, sums } = segment;
  return {
    start_slot: startSlot,
    end_slot: endSlot,
    slots: endSlot - startSlot + 1,
    state,
    ...known(leader).shown,
    commission: leader.commission,
    delinquent: leader.isDelinquent,
    swaps: sums?.swaps,
    priority_fees: String(sums?.priorityFees ?? 0n),
    tips: String(sums?.tips ?? 0n),
    fees: String(sums?.fees ?? 0n),
    vol: sums === undefined ? undefined : String(sums.vol),
    skipped: state === 'past' ? sums?.skipped : undefined,
    unknown: sums?.unknown || undefined,
    remaining_slots: state === 'active' ? endSlot - currentSlot : undefined,
    eta_slots: state === 'future' ? startSlot - currentSlot : undefined,
  };
}

/** A row for every slot with a block, of the segments that have begun. */
function feeRows(segments: readonly Segment[], figures: readonly SlotFigures[]): Written<SlotFees>[] {
  const rows: Written<SlotFees>[] = [];
  let place = 0;
  for (const { slot, state, swaps, priorityFees, tips } of figures) {
    while (place < segments.length && segments[place]!.endSlot < slot) place += 1;
    const segment = segments[place];
    if (segment === undefined || slot < segment.startSlot || state !== 'seen') continue;
    const { identity } = segment.leader;
    rows.push({ slot, identity, swaps, priority_fees: String(priorityFees), tips: String(tips) });
  }
  return rows;
}
