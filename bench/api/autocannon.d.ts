/** The part of autocannon that benchmarks use; the package ships no types. */
declare module 'autocannon' {
  interface Request {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  }

  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests in all, instead of a duration. */
    readonly amount?: number;
    /** Milliseconds: it looks so often whether it is done. */
    readonly sampleInt?: number;
    /** Told of each connection before it begins. */
    readonly setupClient?: (client: { setRequests(requests: Request[]): void }) => void;
  }): Promise<{
    /** Seconds that it took. */
    readonly duration: number;
    readonly latency: { readonly p99: number };
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    /** Of the errors. */
    readonly timeouts: number;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }>;
}
