// The events of one in sixteen users once more, for queries over so long a time that all events take seconds.
import type { TableDefinition, ViewDefinition } from './definition.ts'
import { events } from './events.ts'

/** Of this number of users, one is in the sample. */
export const usersPerSampled = 16

/** Whole users are in the sample; what has no user is chosen by its time. */
const isSampled = `if(e.user_hash = 0, intHash64(toUnixTimestamp64Milli(e.ts)), e.user_hash) % ${usersPerSampled} = 0`

/** A column that is added to `events` is added here too, and the view is refilled. */
export const eventsSampled = {
  ...events,
  name: 'events_sampled',
  beside: ['INDEX ix_session session_id TYPE bloom_filter(0.01) GRANULARITY 1'],
  settings: { ttl_only_drop_parts: 1 },
} as const satisfies TableDefinition

export const eventsSampledView = {
  name: 'events_sampled_mv',
  from: 'events',
  to: 'events_sampled',
  select: (from) => `
SELECT ${Object.keys(events.columns)
    .map((column) => `e.${column} AS ${column}`)
    .join(', ')}
FROM ${from} AS e WHERE ${isSampled}`,
} as const satisfies ViewDefinition
