import type { Log } from '@telltale/core/contract/logs'
import { limits } from '@telltale/core/limits'
import { logLevels } from '@telltale/core/otlp-names'
import { traceUuid } from '@telltale/core/telemetry/otlp/span-row'
import type { Question } from '../explore/question.ts'
import { renderServedFilter } from '../explore/render-span-filter.ts'
import {
  aroundTrace,
  instantOfMicroseconds,
  microsecond,
  microsecondsText,
  type TraceExtent,
  traceIdText,
  within,
} from '../explore/span-time.ts'
import type { Steps } from '../explore/steps.ts'

export interface LogRow {
  id: string
  at: string
  trace: string
  spanId: string
  service: string
  version: string
  scope: string
  level: string
  severity: string
  name: string
  body: string
  userKey: string
  attrs: Record<string, string>
  resource: Record<string, string>
  cut: number
}

export interface LogMark {
  at: number
  id: string
}

const columns = `toString(log_id) AS id, ${microsecondsText('ts')} AS at, ${traceIdText()} AS trace, span_id AS spanId,
  toString(service) AS service, toString(version) AS version, toString(scope) AS scope, toString(level) AS level,
  toString(severity_text) AS severity, toString(name) AS name, body, user_key AS userKey, attrs, resource, cut`

export async function findLogs(
  question: Question,
  { after, count }: { after: LogMark | undefined; count: number },
): Promise<LogRow[]> {
  const { bind } = question
  const before =
    after === undefined
      ? []
      : [
          `ts <= ${microsecond(after.at, bind)}`,
          `(ts, log_id) < (${microsecond(after.at, bind)}, ${bind(after.id, 'UUID')})`,
        ]
  const conditions = [
    ...within(question, bind),
    ...renderServedFilter('logs', question.filter, bind),
    ...before,
  ]
  return question.read<LogRow>(
    `SELECT ${columns} FROM (SELECT * FROM ${question.rowsOf('logs', ...conditions)}
      ORDER BY ts DESC, log_id DESC LIMIT ${bind(count, 'UInt32')}) AS l ORDER BY l.ts DESC, l.log_id DESC`,
  )
}

interface LevelPoint {
  at: number
  logLevel: string
  records: string
}

export async function findLevelPoints(question: Question, steps: Steps): Promise<LevelPoint[]> {
  const { bind } = question
  const conditions = [...within(question, bind), ...renderServedFilter('logs', question.filter, bind)]
  return question.read<LevelPoint>(
    `SELECT ${steps.of(question, 'ts')} AS at, toString(level) AS logLevel, toString(count()) AS records
    FROM ${question.rowsOf('logs', ...conditions)} GROUP BY at, level`,
  )
}

export async function findLogsOfTrace(
  question: Question,
  { trace, started, ended }: TraceExtent,
): Promise<LogRow[]> {
  const { bind } = question
  const conditions = [
    `ts >= ${microsecond(started - aroundTrace, bind)}`,
    `ts <= ${microsecond(ended + aroundTrace, bind)}`,
    `trace_id = ${bind(traceUuid(trace), 'UUID')}`,
  ]
  return question.read<LogRow>(
    `SELECT ${columns} FROM (SELECT * FROM ${question.rowsOf('logs', ...conditions)}
      ORDER BY ts, log_id LIMIT ${limits.traceLogsShown}) AS l ORDER BY l.ts, l.log_id`,
  )
}

const noTrace = '0'.repeat(32)

export function toLog({ trace, spanId, at, level, attrs, ...row }: LogRow): Log {
  return {
    ...row,
    at: instantOfMicroseconds(at),
    traceId: trace === noTrace ? null : trace,
    spanId: spanId === '' ? null : spanId,
    level: logLevels.find((each) => each === level) ?? 'unspecified',
    attributes: attrs,
  }
}
