// Limits of releases and deploys, part of `limits`.
import type { Limit } from './limit.ts'

export const releaseLimits = {
  rolloutTemplatesPerProject: {
    value: 100,
    unit: 'items',
    reason: 'Rollout templates of a project: a list to choose from.',
  },
  releasesCharted: { value: 6, unit: 'items', reason: 'Colours that are distinguishable in one chart.' },
  releaseIssues: {
    value: 20,
    unit: 'items',
    reason: 'A list beside charts; the screen of errors has them all.',
  },
  deployCommits: { value: 100, unit: 'items', reason: 'A list to read, not the history of a repository.' },
  deploysListed: { value: 500, unit: 'items', reason: 'Marks of a chart, which groups them beyond a dozen.' },
} as const satisfies Record<string, Limit>
