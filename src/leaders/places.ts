/** Where an address is, as far as it is known. */
export interface Place {
  /** ISO code of the country, two letters. */
  readonly country?: string | undefined;
  /** By one name, see `city-names.ts`. */
  readonly city?: string | undefined;
  /** Name of the autonomous system. */
  readonly network?: string | undefined;
  /** Degrees to one decimal; both or neither. */
  readonly lat?: number | undefined;
  readonly lon?: number | undefined;
}

/** Says where addresses are. */
export interface Places {
  /** Undefined when nothing is known of the address, and for what is none. */
  placeOf(ip: string): Place | undefined;
}

/** Without a database nothing is known. */
export const NO_PLACES: Places = { placeOf: () => undefined };
