// Limits of address routes, part of `limits`.
import type { Limit } from './limit.ts'

export const routeLimits = {
  routeSegments: {
    value: 100,
    unit: 'items',
    reason:
      'Different segments at one position of an address that are taken for ids: few sites have as many pages there.',
  },
  routeFirstSegments: {
    value: 300,
    unit: 'items',
    reason: 'The same for the first segment, where marketing sites have hundreds of pages.',
  },
  routeSegmentsRemembered: {
    value: 20_000,
    unit: 'items',
    reason: 'Segments counted per environment to learn from; about 2 MB.',
  },
  routeRules: {
    value: 100,
    unit: 'items',
    reason: 'Rules for addresses per environment; each is compared on every read.',
  },
  routeLength: {
    value: 500,
    unit: 'characters',
    reason: 'A prefix of a rule, and a segment that is excepted.',
  },
} as const satisfies Record<string, Limit>
