import {
  MAX_FATES,
  MAX_REFUSED_VERSIONS,
  type OpenSlot,
  type SettledFate,
  type SlotEffects,
  type SlotGap,
  type SlotsState,
} from './slot-state.ts';
import type { ChainStep, SlotCounts } from './source.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The next state while it is being made: the one place where anything is changed. */
export class SlotDraft {
  readonly commitment: SlotsState['commitment'];
  settled: number | undefined;
  isSettledOnChain: boolean;
  settledBlockhash: string | undefined;
  finalized: number | undefined;
  readonly stack: number[];
  readonly counts: Mutable<SlotCounts>;
  private readonly open: Map<number, OpenSlot>;
  private readonly fates: Map<number, SettledFate>;
  private readonly steps: ChainStep[] = [];
  private readonly gaps: SlotGap[] = [];
  private readonly misfits: number[] = [];

  constructor(state: SlotsState) {
    this.commitment = state.commitment;
    this.settled = state.settled;
    this.isSettledOnChain = state.isSettledOnChain;
    this.settledBlockhash = state.settledBlockhash;
    this.finalized = state.finalized;
    this.stack = [...state.stack];
    this.counts = { ...state.counts };
    this.open = new Map(state.open);
    this.fates = new Map(state.fates);
  }

  finish(): { readonly state: SlotsState; readonly effects: SlotEffects } {
    const { commitment, settled, isSettledOnChain, settledBlockhash, finalized, stack, counts, open, fates } = this;
    return {
      state: { commitment, settled, isSettledOnChain, settledBlockhash, finalized, stack, counts, open, fates },
      effects: { steps: this.steps, gaps: this.gaps, misfits: this.misfits },
    };
  }

  get openCount(): number {
    return this.open.size;
  }

  get(slot: number): OpenSlot {
    return this.open.get(slot) ?? unheard(slot);
  }

  set(slot: OpenSlot): void {
    this.open.set(slot.slot, slot);
  }

  /** Those with a block that is kept, oldest first. */
  held(): OpenSlot[] {
    return this.sorted(({ block }) => block !== undefined);
  }

  /** The oldest open slot that is confirmed. */
  oldestConfirmed(): OpenSlot | undefined {
    let oldest: OpenSlot | undefined;
    for (const each of this.open.values()) {
      if (each.confirmed && (oldest === undefined || each.slot < oldest.slot)) oldest = each;
    }
    return oldest;
  }

  sorted(where: (slot: OpenSlot) => boolean): OpenSlot[] {
    return [...this.open.values()].filter(where).sort((a, b) => a.slot - b.slot);
  }

  /** A confirmed slot confirms its ancestors as far as links are known. */
  confirm(slot: number): void {
    for (let at: number | undefined = slot; at !== undefined && (this.settled === undefined || at > this.settled); ) {
      this.#heedChildren(at);
      const each: OpenSlot = this.get(at);
      this.set({ ...each, confirmed: true, built: true });
      const { parent, parentBlockhash } = each;
      // A parent that does not come before its child is damage: following it could go round for ever.
      if (parent === undefined || parent >= at) return;
      if (parentBlockhash !== undefined) this.#want(parent, parentBlockhash);
      at = this.get(parent).confirmed ? undefined : parent;
    }
  }

  /** A slot is confirmed by its children: if all that are here name a version that never came, that is the one. */
  #heedChildren(slot: number): void {
    const { blockhash, wanted, refused } = this.get(slot);
    if (blockhash === undefined || wanted !== undefined) return;
    const children = [...this.open.values()].filter(({ parent, parentBlockhash }) => {
      return parent === slot && parentBlockhash !== undefined && !refused.includes(parentBlockhash);
    });
    const [child] = children;
    if (child === undefined || children.some(({ parentBlockhash }) => parentBlockhash === blockhash)) return;
    this.#want(slot, child.parentBlockhash!);
  }

  /** This version of a slot is on the chain: what is here of it has to go if it is another. */
  #want(slot: number, blockhash: string): void {
    if (this.settled !== undefined && slot <= this.settled) return;
    const here = this.get(slot).blockhash;
    if (here !== undefined && here !== blockhash) this.refuse(slot);
    const known = this.get(slot);
    this.set({ ...known, wanted: blockhash, refused: known.refused.filter((each) => each !== blockhash) });
  }

  /** The version that is here is not on the chain: it is taken back with what stands on it, and not let in again. */
  refuse(slot: number): void {
    const known = this.get(slot);
    if (this.stack.includes(slot)) this.withdrawAbove(slot - 1);
    if (known.blockhash === undefined) return;
    const refused = [...known.refused, known.blockhash].slice(-MAX_REFUSED_VERSIONS);
    this.set({ ...known, refused, blockhash: undefined, parentBlockhash: undefined, block: undefined, bytes: 0 });
  }

  step(step: ChainStep): void {
    this.steps.push(step);
  }

  /** Takes back what was given unconfirmed above `slot`, newest first. */
  withdrawAbove(slot: number): void {
    for (let top = this.stack.at(-1); top !== undefined && top > slot; top = this.stack.at(-1)) {
      this.stack.pop();
      this.counts.withdrawn += 1;
      this.step({ kind: 'withdrawn', slot: top });
    }
  }

  /** The settled slot is on the chain, in another version than the one that was given. */
  misfit(): void {
    this.misfits.push(this.settled!);
  }

  /** Closes every slot up to this one, which is on the chain right behind the one settled before. */
  settle(slot: number): void {
    for (let between = Math.max((this.settled ?? slot) + 1, slot - MAX_FATES); between < slot; between += 1) {
      const { dead, built } = this.get(between);
      const fate = dead ? 'dead' : built ? 'forked' : 'skipped';
      this.counts[fate] += 1;
      this.fates.set(between, fate);
    }
    this.fates.set(slot, 'confirmed');
    this.#close(slot, true);
  }

  /** Closes every slot up to this one without knowing what became of those before it. */
  giveUp(slot: number, isOnChain: boolean): void {
    if (isOnChain) {
      this.counts.missing += 1;
      this.fates.set(slot, 'confirmed');
    }
    if (this.settled !== undefined) this.gaps.push({ fromSlot: this.settled + 1, toSlot: slot });
    this.#close(slot, isOnChain);
  }

  /** Nothing at or below this slot is of interest: where a chain begins. */
  begin(slot: number): void {
    this.#close(slot, false);
  }

  forget(slot: number): void {
    this.open.delete(slot);
  }

  #close(slot: number, isOnChain: boolean): void {
    this.settled = slot;
    this.isSettledOnChain = isOnChain;
    const { blockhash, wanted } = this.get(slot);
    this.settledBlockhash = isOnChain ? (blockhash ?? wanted) : undefined;
    for (const each of this.open.keys()) if (each <= slot) this.open.delete(each);
    for (const each of this.fates.keys()) {
      if (this.fates.size <= MAX_FATES) break;
      this.fates.delete(each);
    }
  }
}

function unheard(slot: number): OpenSlot {
  return {
    slot,
    parent: undefined,
    parentBlockhash: undefined,
    blockhash: undefined,
    block: undefined,
    bytes: 0,
    refused: [],
    wanted: undefined,
    confirmed: false,
    dead: false,
    built: false,
  };
}
