// Limits of `telltale edge`. Not part of `limits`, which the console loads with its first screen.

import type { Limit } from './limit.ts'

const second = 1_000
const minute = 60 * second

export const edgeLimits = {
  edgeKeyInterval: {
    value: 5 * second,
    unit: 'ms',
    reason: 'How late an edge learns of a revoked key or a changed setting. An unchanged answer is 304.',
  },
  edgeContactInterval: {
    value: minute,
    unit: 'ms',
    reason: 'How exactly a restarted edge knows when it last reached its server.',
  },
  edgeStartPatience: {
    value: 10 * second,
    unit: 'ms',
    reason: 'An edge without a snapshot waits this long for its server before it listens.',
  },
  edgeStreams: {
    value: 60_000,
    unit: 'items',
    reason: 'Open event streams of one process of an edge: bounds its memory.',
  },
  edgeRequestTimeout: {
    value: 30 * second,
    unit: 'ms',
    reason: 'Of one request from an edge to its server: a server that hangs counts as away.',
  },
} as const satisfies Record<string, Limit>
