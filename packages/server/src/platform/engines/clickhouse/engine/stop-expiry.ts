/**
 * A clock that is ahead would let the engine delete what looks expired. The nightly cleanup deletes it instead, and looks at the
 * clock first. Holds for the tables that exist, until the engine ends: said when it opens and when tables were made.
 */
export const stopExpiry = 'SYSTEM STOP TTL MERGES'
