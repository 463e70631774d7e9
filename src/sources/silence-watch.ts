/** More bytes a second than HTTP/2 and TLS send by themselves on an idle connection. */
const FRAMING_BYTES_PER_S = 24;
/** Times in a row that a part of a message counts as life: a quarter of an hour in all. */
const MAX_DRIPPING = 20;

export interface SilenceOptions {
  readonly silenceMs: number;
  /** Of the connection, so far. */
  readonly bytesRead: () => number;
  readonly onSilence: () => void;
}

/** Tells when no message came for so long, nor a part of one: a large block on a slow line drips in. */
export function watchSilence({ silenceMs, bytesRead, onSilence }: SilenceOptions): { heard(): void; stop(): void } {
  let before = 0;
  let dripping = 0;
  const timer = setTimeout(() => {
    const bytes = bytesRead();
    const isDripping = bytes - before > (silenceMs / 1_000) * FRAMING_BYTES_PER_S && dripping < MAX_DRIPPING;
    if (!isDripping) return onSilence();
    before = bytes;
    dripping += 1;
    timer.refresh();
  }, silenceMs);
  return {
    heard() {
      before = bytesRead();
      dripping = 0;
      timer.refresh();
    },
    stop: () => clearTimeout(timer),
  };
}
