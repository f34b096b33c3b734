// Limits of traces and logs: what a request of OpenTelemetry may hold, and how much of a trace is shown. Part of `limits`.
import type { Limit } from './limit.ts'

const kibibyte = 1_024

export const traceLimits = {
  spansPerRequest: {
    value: 100_000,
    unit: 'items',
    reason: 'Spans or log records of one request: ten times what the OpenTelemetry Collector puts into one.',
  },
  spanAttributes: {
    value: 128,
    unit: 'items',
    reason: 'As many as OpenTelemetry’s clients keep by default.',
  },
  spanAttributeLength: {
    value: 4_000,
    unit: 'characters',
    reason: 'A statement of a database or a stack; longer values are cut.',
  },
  spanEvents: { value: 128, unit: 'items', reason: 'As many as OpenTelemetry’s clients keep by default.' },
  spanEventAttributes: { value: 32, unit: 'items', reason: 'Of one event or link of a span.' },
  spanLinks: {
    value: 32,
    unit: 'items',
    reason: 'A batch that was made from more is shown without the rest.',
  },
  logBodyLength: { value: 16 * kibibyte, unit: 'characters', reason: 'A log record, not a dump.' },
  servicesPerEnvironment: {
    value: 500,
    unit: 'items',
    reason:
      'Different services an hour; what comes after them counts as others, and the client gets a warning.',
  },
  traceSpansShown: {
    value: 5_000,
    unit: 'items',
    reason: 'Spans of one trace on a screen; the number of the others is shown.',
  },
  traceLinkLength: {
    value: 2_000,
    unit: 'characters',
    reason: 'An address that every browser and proxy accepts, with a query that selects the trace.',
  },
  operationsPerService: {
    value: 200,
    unit: 'items',
    reason: 'Span names of one service on its page; more are a name with an ID in it.',
  },
  comparedRequests: {
    value: 1_000,
    unit: 'items',
    reason: 'The newest traced requests, whose slowest tenth is compared with the fifth around the median.',
  },
  comparedRequestsMinimum: {
    value: 10,
    unit: 'items',
    reason: 'Traced requests: with fewer, the slowest tenth is not a whole one.',
  },
  comparedSpans: {
    value: 500,
    unit: 'items',
    reason: 'Spans of one trace in the comparison of slow requests: 300 traces are joined with themselves.',
  },
  traceLogsShown: { value: 1_000, unit: 'items', reason: 'Log records and errors beside a trace.' },
} as const satisfies Record<string, Limit>
