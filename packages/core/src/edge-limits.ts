// Limits of `telltale edge`. Not part of `limits`, which the console loads with its first screen.

import type { Limit } from './limit.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const mebibyte = 1_024 * 1_024

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
  edgeAnswerMemory: {
    value: 64 * mebibyte,
    unit: 'bytes',
    reason:
      'Answers to contexts that come again, kept as they are sent. All are dropped when they need more.',
  },
  edgeRequestTimeout: {
    value: 30 * second,
    unit: 'ms',
    reason: 'Of one request from an edge to its server: a server that hangs counts as away.',
  },
  edgeTelemetryAge: {
    value: 14 * day,
    unit: 'ms',
    reason:
      'Telemetry that waited at an edge for longer is refused: erasures of users are remembered for as long.',
  },
  edgeTelemetryLanes: {
    value: 8,
    unit: 'items',
    reason: 'Requests of an edge to its server at the same time. Those of one client stay in their order.',
  },
  edgeForwardedCalls: {
    value: 64,
    unit: 'items',
    reason: 'Calls for identities that an edge has open at its server; more wait for one of them.',
  },
  edgeTelemetryAhead: {
    value: 16 * mebibyte,
    unit: 'bytes',
    reason: 'Read from the disk and not passed on yet: bounds memory while one of the requests waits.',
  },
  edgeTelemetryBackoff: {
    value: minute,
    unit: 'ms',
    reason: 'Longest pause before telemetry is sent again: a server that is back gets it within a minute.',
  },
  edgeTelemetryFaults: {
    value: 20,
    unit: 'items',
    reason:
      'A request that the server answers with 500 is given up after this many attempts, about 15 minutes: what is behind it must not wait forever.',
  },
  edgeTelemetryKept: {
    value: minute,
    unit: 'ms',
    reason: 'What was passed on is deleted from the disk of an edge after this time.',
  },
  edgeTelemetryProgress: {
    value: second,
    unit: 'ms',
    reason:
      'How often an edge notes what it passed on. After a crash it sends the rest again, and the server recognises it.',
  },
} as const satisfies Record<string, Limit>
