// Limits of the shares of failures owed to variations. Not part of `limits`, which the console loads with its first
// screen.

import type { Limit } from './limit.ts'

const day = 86_400_000

export const attributionLimits = {
  attributionSpan: {
    value: 90 * day,
    unit: 'ms',
    reason: 'How far back failures are compared: as long as events are kept by default.',
  },
  attributedPaths: {
    value: 10_000,
    unit: 'items',
    reason:
      'Ways of failed users through the stages and arms of one environment’s splits; a split of ten stages has a few hundred.',
  },
  attributedIssues: {
    value: 50,
    unit: 'items',
    reason: 'Issues of one user or session for a support desk, the most recent first.',
  },
  affectedUsersExported: {
    value: 100_000,
    unit: 'items',
    reason: 'Lines of one export of affected users: the file stays small enough for spreadsheets.',
  },
} as const satisfies Record<string, Limit>

const limitOf = (name: keyof typeof attributionLimits) => attributionLimits[name].value

export const attributed = {
  span: limitOf('attributionSpan'),
  paths: limitOf('attributedPaths'),
  issues: limitOf('attributedIssues'),
  usersExported: limitOf('affectedUsersExported'),
}
