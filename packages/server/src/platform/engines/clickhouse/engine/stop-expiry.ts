/**
 * With a wrong clock, the engine would delete rows that only seem to be expired. The nightly cleanup deletes them
 * instead, after checking the clock. Applies to existing tables until the engine ends, so it is repeated when the
 * store opens and after tables are created.
 */
export const stopExpiry = 'SYSTEM STOP TTL MERGES'
