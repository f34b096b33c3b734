const minute = 60_000

export const digestLimits = {
  digestPoll: {
    value: minute,
    unit: 'ms',
    reason: 'A digest is due at a full hour; a minute late is on time.',
  },
  digestsAtOnce: { value: 20, unit: 'items', reason: 'Of one turn; each reads a week of telemetry.' },
  digestItems: { value: 50, unit: 'items', reason: 'Of a kind; the text lists the first ten.' },
} as const
