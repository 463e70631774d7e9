/** First wallets that bought a token whose funders are looked at. */
export const EARLY_BUYERS = 100;
