/** Windows of the market for flow and tips, which contracts and answers share. */

interface FeeWindow {
  readonly seconds: number;
  /** It begins at a second of block time, else at the minute of that. */
  readonly toTheSecond: boolean;
  /** Seconds of a step of tips, by the name that is told. */
  readonly step: { readonly name: string; readonly seconds: number };
}

export const FEE_WINDOWS = {
  '5m': { seconds: 300, toTheSecond: true, step: { name: '10s', seconds: 10 } },
  '1h': { seconds: 3_600, toTheSecond: true, step: { name: '1m', seconds: 60 } },
  '24h': { seconds: 86_400, toTheSecond: false, step: { name: '15m', seconds: 900 } },
  '7d': { seconds: 604_800, toTheSecond: false, step: { name: '2h', seconds: 7_200 } },
} as const satisfies Readonly<Record<string, FeeWindow>>;
export type FeeWindowName = keyof typeof FEE_WINDOWS;

export const FEE_WINDOW_NAMES = Object.keys(FEE_WINDOWS) as FeeWindowName[];

export const FEE_WINDOW_SECONDS = Object.fromEntries(
  FEE_WINDOW_NAMES.map((name) => [name, FEE_WINDOWS[name].seconds]),
) as Readonly<Record<FeeWindowName, number>>;
