/** The part of autocannon that the benchmark uses; the package ships no types. */
declare module 'autocannon' {
  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
  }): Promise<{
    readonly requests: { readonly average: number };
    readonly latency: { readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }>;
}
