// Limits of the server resources that requests and streams may use, part of `limits`.
import type { Limit } from './limit.ts'

const second = 1_000
const hour = 3_600 * second
const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

export const requestLimits = {
  requestMemoryMinimum: {
    value: 64 * mebibyte,
    unit: 'bytes',
    reason:
      'Request bodies in progress share an eighth of the memory of the machine or container, and at least this.',
    setting: 'TELLTALE_REQUEST_MEMORY',
  },
  requestMemoryMaximum: {
    value: 1_024 * mebibyte,
    unit: 'bytes',
    reason: 'More would only be waiting for the disk and the telemetry engine.',
  },
  intakeLag: {
    value: 8,
    unit: 'ms',
    reason:
      'While the event loop is usually later than this, less telemetry is read at once: flags wait for it.',
  },
  unpackedRatio: {
    value: 300,
    unit: 'items',
    reason: 'Recordings of pages unpack to 10 to 50 times what travels; a zip bomb to 1 000 times.',
  },
  unpackedAlways: {
    value: 16 * mebibyte,
    unit: 'bytes',
    reason: 'Up to this size it does not matter how well something was packed.',
  },
  identitiesPerAddress: {
    value: 600,
    unit: 'items',
    reason:
      'New identities a minute that one address may have stored with a client key; those beyond are evaluated all the same.',
  },
  identitiesPerEnvironment: {
    value: 1_000_000,
    unit: 'items',
    reason: 'Identities of one environment; those beyond are evaluated, and counted instead of stored.',
    setting: 'TELLTALE_IDENTITIES',
  },
  identityTraitsSize: {
    value: 16 * kibibyte,
    unit: 'characters',
    reason: 'Total stored size of the traits of one identity; further traits are dropped.',
  },
  identitiesKept: {
    value: 400,
    unit: 'days',
    reason: 'Identities not seen for thirteen months are deleted at night; no telemetry is kept longer.',
  },
  streamHeartbeat: {
    value: 15 * second,
    unit: 'ms',
    reason: 'Shorter than proxies wait before they close a silent connection.',
  },
  streamTokenLifetime: {
    value: hour,
    unit: 'ms',
    reason: 'Stream URLs appear in logs, so their tokens expire after this time.',
  },
  toolbarLinkLifetime: {
    value: 8 * hour,
    unit: 'ms',
    reason: 'A working day of a tester. Links are passed on, so they expire.',
  },
  toolbarPageLength: {
    value: 2_000,
    unit: 'characters',
    reason: 'An address that every browser and proxy accepts, also with the token of the toolbar.',
  },
  streamRightInterval: {
    value: 3 * second,
    unit: 'ms',
    reason: 'A stream ends this soon after a key, token, session or membership that opened it is gone.',
  },
  streamsPerAddress: {
    value: 500,
    unit: 'items',
    reason:
      'Open event streams of one address, or of one customer network of IPv6: a large office. Others of it poll.',
    setting: 'TELLTALE_STREAMS_PER_ADDRESS',
  },
  streamsPerEnvironment: {
    value: 15_000,
    unit: 'items',
    reason: 'Open event streams of one environment on one server: others keep a part.',
  },
  streams: { value: 20_000, unit: 'items', reason: 'Open event streams of one server: bounds its memory.' },
  streamBacklog: { value: 64 * kibibyte, unit: 'bytes', reason: 'Readers further behind are disconnected.' },
  piecesPerBatch: {
    value: 100_000,
    unit: 'items',
    reason:
      'Events above `eventsPerBatch` are dropped one by one up to this count; above it the whole batch is rejected: 16 million empty objects fit into a body of 150 kB.',
  },
} as const satisfies Record<string, Limit>
