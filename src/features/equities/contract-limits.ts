/** Points of the prices through a day, an hour apart. */
export const SPARK_POINTS = 24;
/** Days that a close may be old and still be told beside a price. */
export const MAX_CLOSE_DAYS = 7;
