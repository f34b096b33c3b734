// Limits of funnels, retention and paths. Part of `limits`.
import type { Limit } from './limit.ts'

const second = 1_000
const day = 86_400 * second

export const funnelLimits = {
  funnelSteps: { value: 10, unit: 'items', reason: 'Steps of one funnel: as many as fit beside each other.' },
  funnelStepsLength: { value: 4_000, unit: 'characters', reason: 'The steps of a funnel are part of URLs.' },
  funnelWindow: { value: 7 * day, unit: 'ms', reason: 'Default time from the first step to the last.' },
  funnelWindowMinimum: { value: second, unit: 'ms', reason: 'Two steps of a user are hardly faster.' },
  funnelWindowMaximum: {
    value: 90 * day,
    unit: 'ms',
    reason: 'A quarter: longer decisions are another funnel.',
  },
  funnelGroups: {
    value: 10,
    unit: 'items',
    reason: 'Groups of a funnel; the number of the others is shown.',
  },
  funnelMedianMinimum: {
    value: 10,
    unit: 'items',
    reason: 'The median of fewer times between two steps is chance; it is not shown.',
  },
  retentionDays: { value: 30, unit: 'days', reason: 'Of a retention table by day: about a month.' },
  retentionWeeks: { value: 12, unit: 'items', reason: 'Of a retention table by week: about a quarter.' },
  pathSteps: { value: 5, unit: 'items', reason: 'Steps before or after the start of a path.' },
  pathValues: { value: 20, unit: 'items', reason: 'Values per step of a path; the others are summed up.' },
  pathsListed: { value: 20, unit: 'items', reason: 'The most frequent whole paths.' },
} as const satisfies Record<string, Limit>
