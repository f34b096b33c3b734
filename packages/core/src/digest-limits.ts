const minute = 60_000

export const digestLimits = {
  digestPoll: {
    value: minute,
    unit: 'ms',
    reason: 'A digest is due at a full hour; a minute late is on time.',
  },
  digestsAtOnce: { value: 20, unit: 'items', reason: 'Of one turn; each reads a week of telemetry.' },
  digestRetryLongest: {
    value: 60 * minute,
    unit: 'ms',
    reason: 'A digest that fails is tried again, at most hourly, until the next one is due.',
  },
  digestItems: { value: 50, unit: 'items', reason: 'Of a kind; the text lists the first ten.' },
} as const
