// A log record as a row of the table of logs, as JSON.

import { limits } from '../../limits.ts'
import { type LogLevel, logLevels } from '../../otlp-names.ts'
import { countText, idText } from '../row-text.ts'
import { type OtlpLogRecord, textOfValue } from './otlp.ts'
import { sessionOf, traceUuid } from './span-row.ts'
import type { AttributeStore } from './stored-attributes.ts'

export const logColumns = [
  'environment_id',
  'received_at',
  'source',
  'service',
  'version',
  'resource',
  'scope',
  'ts',
  'log_id',
  'trace_id',
  'span_id',
  'severity',
  'level',
  'severity_text',
  'name',
  'body',
  'user_key',
  'session_id',
  'attrs',
  'cut',
] as const

export function levelOf(severity: number): LogLevel {
  return logLevels[Math.ceil(severity / 4)] ?? 'unspecified'
}

interface LogParts {
  shared: string
  scope: string
  id: string
  /** Microseconds since 1970. */
  at: number
  userKey: string
  store: AttributeStore
}

const json = JSON.stringify

export function logRow(record: OtlpLogRecord, parts: LogParts): { row: string; cut: number } {
  const { store } = parts
  const attributes = store.store(record.attributes, limits.spanAttributes)
  const whole = textOfValue(record.body)
  const isCut = whole.length > limits.logBodyLength
  const cut = record.leftOut + attributes.cut + (isCut ? 1 : 0)
  const own = [
    json(parts.scope),
    String(Math.max(0, Math.round(parts.at))),
    idText(parts.id),
    `"${traceUuid(record.traceId)}"`,
    `"${record.spanId}"`,
    countText(record.severity, 8),
    `"${levelOf(record.severity)}"`,
    json(store.line(record.severityText)),
    json(store.line(record.eventName)),
    json(store.text(whole, limits.logBodyLength)),
    json(parts.userKey),
    `"${sessionOf(record.attributes)}"`,
    attributes.json,
    countText(cut, 16),
  ]
  return { row: `[${parts.shared},${own.join(',')}]`, cut }
}
