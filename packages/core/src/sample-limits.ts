// When queries of screens read a sample of the users. Not part of `limits`, which the console loads with its first
// screen.

import type { Limit } from './limit.ts'

export const sampleLimits = {
  eventsReadWhole: {
    value: 20_000_000,
    unit: 'items',
    reason: 'Events of a period that are read without a sample: about a second of two processors.',
  },
  sampledEventsLeast: {
    value: 20_000,
    unit: 'items',
    reason: 'If fewer events of a sample match, all events are read: few users would decide the result.',
  },
} as const satisfies Record<string, Limit>
