// The closed list of fields to filter and group telemetry by. Every screen and call uses these names and no others;
// the server's `render-filter.ts` alone maps them to the tables.

import { logLevels, spanKinds } from '../otlp-names.ts'

export type FieldType = 'text' | 'number' | 'boolean' | 'id' | 'issue'

interface FieldDefinition {
  readonly type: FieldType
  readonly label: string
  /** Needs a key after the colon: `flag:checkout=new`, `attr:plan=pro`. */
  readonly isKeyed?: true
  /** The only valid values. */
  readonly choices?: readonly string[]
  readonly unit?: 'ms' | 'bytes'
  /** A property of a whole session: it matches an event if it matches the event's session. */
  readonly ofSession?: true
  /** Events have no such field: it matches none of them. */
  readonly of?: 'spans' | 'logs'
}

const kinds = ['view', 'vital', 'action', 'resource', 'error', 'long_frame', 'custom', 'exposure']

export const filterFields = {
  kind: { type: 'text', label: 'Event type', choices: kinds },
  page: { type: 'text', label: 'Page' },
  url: { type: 'text', label: 'Address' },
  referrer: { type: 'text', label: 'Referrer' },
  browser: { type: 'text', label: 'Browser' },
  'browser-version': { type: 'text', label: 'Browser version' },
  os: { type: 'text', label: 'Operating system' },
  device: { type: 'text', label: 'Device' },
  country: { type: 'text', label: 'Country' },
  connection: { type: 'text', label: 'Connection' },
  service: { type: 'text', label: 'Service' },
  version: { type: 'text', label: 'Version' },
  source: { type: 'text', label: 'Source' },
  origin: { type: 'text', label: 'Origin', choices: ['browser', 'server'] },
  user: { type: 'text', label: 'User' },
  session: { type: 'id', label: 'Session' },
  view: { type: 'id', label: 'View' },
  trace: { type: 'text', label: 'Trace' },
  'span-kind': { type: 'text', label: 'Span kind', choices: spanKinds, of: 'spans' },
  level: { type: 'text', label: 'Log level', choices: logLevels, of: 'logs' },
  flag: { type: 'text', label: 'Flag', isKeyed: true },
  attr: { type: 'text', label: 'Attribute', isKeyed: true },
  name: { type: 'text', label: 'Name' },
  target: { type: 'text', label: 'Element or address' },
  frustration: { type: 'text', label: 'Frustration', choices: ['rage', 'dead', 'error'] },
  issue: { type: 'issue', label: 'Error issue' },
  error: { type: 'text', label: 'Error message' },
  'error-type': { type: 'text', label: 'Error type' },
  handled: { type: 'boolean', label: 'Handled error' },
  method: { type: 'text', label: 'Request method' },
  host: { type: 'text', label: 'Request host' },
  endpoint: { type: 'text', label: 'Endpoint' },
  status: { type: 'number', label: 'Status' },
  failed: { type: 'boolean', label: 'Failed request' },
  'resource-type': { type: 'text', label: 'Resource type' },
  replay: { type: 'boolean', label: 'Has a replay' },
  bot: { type: 'boolean', label: 'Bot' },
  lcp: { type: 'number', label: 'LCP', unit: 'ms' },
  inp: { type: 'number', label: 'INP', unit: 'ms' },
  cls: { type: 'number', label: 'CLS' },
  fcp: { type: 'number', label: 'FCP', unit: 'ms' },
  ttfb: { type: 'number', label: 'TTFB', unit: 'ms' },
  value: { type: 'number', label: 'Value' },
  duration: { type: 'number', label: 'Duration', unit: 'ms' },
  blocking: { type: 'number', label: 'Blocking time', unit: 'ms' },
  size: { type: 'number', label: 'Size', unit: 'bytes' },
  'entry-page': { type: 'text', label: 'First page', ofSession: true },
  'exit-page': { type: 'text', label: 'Last page', ofSession: true },
  length: { type: 'number', label: 'Session duration', unit: 'ms', ofSession: true },
  views: { type: 'number', label: 'Views', ofSession: true },
  actions: { type: 'number', label: 'Actions', ofSession: true },
  requests: { type: 'number', label: 'Requests', ofSession: true },
  'failed-requests': { type: 'number', label: 'Failed requests', ofSession: true },
  errors: { type: 'number', label: 'Errors', ofSession: true },
  'unhandled-errors': { type: 'number', label: 'Unhandled errors', ofSession: true },
  'rage-clicks': { type: 'number', label: 'Rage clicks', ofSession: true },
  'dead-clicks': { type: 'number', label: 'Dead clicks', ofSession: true },
  'error-clicks': { type: 'number', label: 'Error clicks', ofSession: true },
  trouble: { type: 'number', label: 'Issues', ofSession: true },
  'replay-length': { type: 'number', label: 'Replay duration', unit: 'ms', ofSession: true },
  kept: { type: 'boolean', label: 'Replay is kept', ofSession: true },
  profile: { type: 'boolean', label: 'Has a profile', ofSession: true },
} as const satisfies Record<string, FieldDefinition>

export type FieldName = keyof typeof filterFields

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(filterFields, name)
}

export function fieldDefinition(name: FieldName): FieldDefinition {
  return filterFields[name]
}

/** Fields that percentiles, means and sums can be computed of. */
export const numericFields = [
  'value',
  'duration',
  'blocking',
  'size',
  'lcp',
  'inp',
  'cls',
  'fcp',
  'ttfb',
] as const satisfies readonly FieldName[]
export type NumericField = (typeof numericFields)[number]

export const exploreMeasures = [
  'count',
  'rate',
  'users',
  'sessions',
  'p50',
  'p75',
  'p95',
  'p99',
  'mean',
  'sum',
  'share',
] as const
export type ExploreMeasure = (typeof exploreMeasures)[number]

/** These measure a field; the others count. */
export const fieldMeasures: ReadonlySet<string> = new Set<ExploreMeasure>([
  'p50',
  'p75',
  'p95',
  'p99',
  'mean',
  'sum',
])
