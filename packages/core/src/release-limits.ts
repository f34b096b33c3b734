// Limits of releases and deploys, part of `limits`.
import type { Limit } from './limit.ts'

export const releaseLimits = {
  releasesCharted: { value: 6, unit: 'items', reason: 'Colours that are distinguishable in one chart.' },
  releaseIssues: {
    value: 20,
    unit: 'items',
    reason: 'A list beside charts; the screen of errors has them all.',
  },
} as const satisfies Record<string, Limit>
