import type { Metrics, Reading, Sample } from '../../kernel/metrics.ts';
import type { IngestSnapshot } from './ingest-snapshot.ts';
import type { OddityCount } from './oddity-counts.ts';
import type { ProgramRate } from './program-rates.ts';

type Read = () => IngestSnapshot;

/** Puts the figures of ingest among the metrics. Every label has few values: programs, kinds, and oddities within a bound. */
export function addIngestMetrics(metrics: Metrics, read: Read): void {
  const { counter, gauge } = namedMetrics(metrics, read);

  counter('blocks_total', 'Blocks derived.', ({ blocks }) => blocks);
  counter('late_blocks_total', 'Blocks derived that came after newer ones.', ({ lateBlocks }) => lateBlocks);
  counter('transactions_total', 'Transactions derived, without votes.', ({ transactions }) => transactions);
  counter('rows_total', 'Rows the store took.', ({ rows }) => rows);
  counter('row_bytes_total', 'Bytes of those rows, as they were sent.', ({ rowBytes }) => rowBytes);
  counter('flushes_total', 'Flushes the store took.', ({ flushes }) => flushes);
  counter('missing_slots_total', 'Slots the source could not give.', ({ missingSlots }) => missingSlots);
  counter('withdrawn_blocks_total', 'Blocks that were not on the chain after all.', (it) => it.withdrawnBlocks);
  counter('positions_read_total', 'Positions read back from the store.', ({ positionsRead }) => positionsRead);
  counter('dirty_mints_total', 'Mints whose swaps came out of order.', ({ dirtyMints }) => dirtyMints);
  counter('refolded_mints_total', 'Mints whose positions were folded again.', ({ refoldedMints }) => refoldedMints);
  counter('refolded_positions_total', 'Positions folded again.', ({ refoldedPositions }) => refoldedPositions);

  // Of an empty store nobody knows a slot: a 0 would look like one that is far behind.
  gauge('head_slot', 'Newest slot derived.', ({ headSlot }) => headSlot || undefined);
  gauge('committed_slot', 'Newest slot the store answers for.', ({ committedSlot }) => committedSlot || undefined);
  gauge('lag_slots', 'Slots derived that the store does not have.', ({ lagSlots }) => lagSlots);
  gauge('lag_ms', 'Age of the newest derived block.', ({ lagMs }) => lagMs);
  gauge('blocks_per_second', 'Blocks derived, over the last minute.', ({ rate }) => rate?.blocks);
  gauge('queued_blocks', 'Blocks derived that wait to be folded.', ({ queuedBlocks }) => queuedBlocks);
  gauge('held_batches', 'Batches published that wait for the store.', ({ heldBatches }) => heldBatches);
  gauge('unconfirmed_blocks', 'Blocks in the feed that are not confirmed.', (it) => it.unconfirmedBlocks);
  gauge('outbox_bytes', 'Bytes of rows on their way to the store.', ({ outboxBytes }) => outboxBytes);
  gauge('disk_free_bytes', 'Free on the fullest disk that is written to.', ({ diskFreeBytes }) => diskFreeBytes);
  gauge('last_flush_ms', 'Duration of the last flush.', ({ lastFlushMs }) => lastFlushMs);
  gauge('positions_held', 'Positions in memory.', ({ positionsHeld }) => positionsHeld);
  gauge('stale_mints', 'Mints whose positions are to be folded again.', ({ staleMints }) => staleMints);

  metrics.histogram({
    name: 'mintscope_ingest_flush_ms',
    help: 'Duration of flushes, from the outbox to the answer of the store.',
    read: () => read().flushMs,
  });
  metrics.histogram({
    name: 'mintscope_ingest_flush_rows',
    help: 'Rows of flushes.',
    read: () => read().flushRows,
  });
  addHoleMetrics(metrics, read);
  addLabelledMetrics(metrics, read);
  addRpcMetrics(metrics, read);
  addSourceMetrics(metrics, read);
}

function namedMetrics(metrics: Metrics, read: Read) {
  type Figure = (snapshot: IngestSnapshot) => Reading;
  const define = (name: string, help: string, figure: Figure, label?: string | readonly string[]) => ({
    name: `mintscope_ingest_${name}`,
    help,
    read: () => figure(read()),
    ...(label === undefined ? {} : { label }),
  });
  return {
    counter: (...definition: Parameters<typeof define>) => metrics.counter(define(...definition)),
    gauge: (...definition: Parameters<typeof define>) => metrics.gauge(define(...definition)),
  };
}

function addHoleMetrics(metrics: Metrics, read: Read): void {
  const { counter, gauge } = namedMetrics(metrics, read);
  gauge('holes', 'Runs of slots that the store does not have.', ({ holes }) => holes.count);
  gauge('hole_slots', 'Slots in them.', ({ holes }) => holes.slots);
  gauge('hole_age_ms', 'How long the oldest of them is known.', ({ holes }) => holes.oldestAgeMs);
  gauge('hole_filling', '1 while a hole is being filled.', ({ holes }) => (holes.filling ? 1 : 0));
  gauge(
    'hole_unavailable_slots',
    'Slots in them that nobody could give lately.',
    ({ holes }) => holes.unavailableSlots,
  );
  counter('hole_filled_slots_total', 'Slots in holes that were filled.', ({ holes }) => holes.filledSlots);
}

function addLabelledMetrics(metrics: Metrics, read: Read): void {
  const { counter, gauge } = namedMetrics(metrics, read);
  counter('facts_total', 'Facts derived.', ({ facts }) => facts, 'kind');
  gauge('facts_per_second', 'Facts derived, over the last minute.', ({ rate }) => rate?.facts, 'kind');
  counter('stage_ms_total', 'Time that a stage worked.', ({ stageMs }) => stageMs, 'stage');
  counter('oddities_total', 'Oddities in the data.', ({ oddities }) => byKind(oddities), ['code', 'subject']);
  gauge('tip_candidates', 'Accounts of no list that many pay beside trades.', (it) => it.tipCandidates.candidates);
  counter(
    'stray_payments_total',
    'Small payments beside trades to accounts of no list.',
    (it) => it.tipCandidates.payments,
  );
  counter(
    'unknown_discriminators_total',
    'Events and instructions with a discriminator that no layout has.',
    ({ oddities }) => variants(oddities, ['unknown_event', 'unknown_instruction'], 'program', 'discriminator'),
    ['program', 'discriminator'],
  );
  counter(
    'unknown_event_lengths_total',
    'Events longer than their layout (+bytes), or too short for it (bytes).',
    ({ oddities }) => variants(oddities, ['event_tail', 'event_too_short'], 'event', 'length'),
    ['event', 'length'],
  );
  const rates = (figure: (rate: ProgramRate) => number | undefined) => () =>
    Object.entries(read().programs).flatMap(([program, rate]) => {
      const value = figure(rate);
      return value === undefined ? [] : [{ labels: { program }, value }];
    });
  gauge(
    'program_facts_per_block',
    'Facts of a program, lately.',
    rates(({ recent }) => recent),
    ['program'],
  );
  gauge(
    'program_usual_facts_per_block',
    'Facts of a program, before.',
    rates(({ usual }) => usual),
    ['program'],
  );
  gauge(
    'program_rate_dropped',
    '1 while the facts of a program are far under what is usual.',
    rates(({ dropped }) => (dropped ? 1 : 0)),
    ['program'],
  );
  gauge(
    'alarm',
    '1 for each alarm that lasts.',
    ({ alarms }) => Object.fromEntries(alarms.map(({ code }) => [code, 1])),
    'code',
  );
}

function addRpcMetrics(metrics: Metrics, read: Read): void {
  const { counter, gauge } = namedMetrics(metrics, read);
  gauge('rpc_limit', 'Calls to the node that may be under way at once, as learned.', ({ rpc }) => rpc?.limit);
  gauge('rpc_in_flight', 'Calls to the node that are under way.', ({ rpc }) => rpc?.inFlight);
  gauge('rpc_waiting', 'Calls that wait for room.', ({ rpc }) => rpc?.waiting);
  counter('rpc_throttled_total', 'Answers of the node that said "too much".', ({ rpc }) => rpc?.throttled);
  counter('rpc_faltered_total', 'Calls to the node that broke or timed out.', ({ rpc }) => rpc?.faltered);
}

function addSourceMetrics(metrics: Metrics, read: Read): void {
  const { counter, gauge } = namedMetrics(metrics, read);
  gauge('confirmed_slot', 'Newest confirmed slot that the source gave.', ({ slots }) => slots?.confirmedSlot);
  gauge('finalized_slot', 'Newest finalized slot that the source knows.', ({ slots }) => slots?.finalizedSlot);
  gauge('source_held_blocks', 'Blocks that the source keeps.', ({ slots }) => slots?.heldBlocks);
  gauge('source_held_bytes', 'Bytes of them.', ({ slots }) => slots?.heldBytes);
  counter('source_slots_total', 'What became of slots that gave no block.', fates, 'fate');
}

function fates({ slots, lacks }: IngestSnapshot): Reading {
  if (slots === undefined) return lacks === undefined ? undefined : { ...lacks };
  const { skipped, dead, forked, missing, dropped, withdrawn } = slots;
  return { skipped, dead, forked, missing, dropped, withdrawn, ...lacks };
}

/** Summed up over what tells oddities of one subject apart. */
function byKind(oddities: readonly OddityCount[]): readonly Sample[] {
  const sums = new Map<string, Sample>();
  for (const { code, subject, count } of oddities) {
    const key = `${code} ${subject}`;
    sums.set(key, { labels: { code, subject }, value: (sums.get(key)?.value ?? 0) + count });
  }
  return [...sums.values()];
}

function variants(
  oddities: readonly OddityCount[],
  codes: readonly OddityCount['code'][],
  subjectLabel: string,
  variantLabel: string,
): readonly Sample[] {
  return oddities
    .filter(({ code }) => codes.includes(code))
    .map(({ subject, variant, count }) => ({
      labels: { [subjectLabel]: subject, [variantLabel]: variant },
      value: count,
    }));
}
