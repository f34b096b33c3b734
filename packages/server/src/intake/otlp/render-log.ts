import { randomUUID } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import { cutText } from '@telltale/core/telemetry/clean-text'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { levelOf, logRow } from '@telltale/core/telemetry/otlp/log-row'
import type { OtlpLogRecord } from '@telltale/core/telemetry/otlp/otlp'
import {
  isFlagEvaluation,
  readException,
  readFlagEvaluation,
} from '@telltale/core/telemetry/otlp/read-signals'
import { sessionOf, userOf } from '@telltale/core/telemetry/otlp/span-row'
import { allowedUser } from '../events/steps/check-users.ts'
import type { RenderItem, SignalOrigin } from './otlp-request.ts'

/** A log record as a row, and the exception or evaluation that it reports. */
export const renderLog: RenderItem<OtlpLogRecord> = ({ item: record, resource, scope }, rendering) => {
  const { environment, receivedAt, store, boundName, collected } = rendering
  // What has no time of its own happened when it was seen, at the latest when it arrived.
  const micros = record.at || record.observedAt
  const at = micros > 0 ? micros / 1_000 : receivedAt
  if (micros > 0) collected.newest = Math.max(collected.newest ?? 0, at)
  if (!isLikely(at, { arrivedAt: receivedAt, ageMaximum: limits.eventAgeMaximum }))
    return 'timestamp_out_of_range'
  const userKey = cutText(userOf(record.attributes), limits.targetingKeyLength)
  if (userKey !== '' && rendering.isErased(userKey)) return 'erased_person'

  const known = rendering.serviceOf(resource.attributes)
  const named = { ...record, eventName: boundName(environment.id, 'name', store.line(record.eventName)) }
  const { row, cut } = logRow(
    { ...named, severityText: boundName(environment.id, 'type', store.line(record.severityText)) },
    {
      shared: known.shared,
      scope: boundName(environment.id, 'scope', store.line(scope)),
      id: randomUUID(),
      at: micros > 0 ? micros : receivedAt * 1_000,
      userKey: allowedUser(userKey, rendering.userCheck),
      store,
    },
  )
  collected.rows.push(row)
  collected.sizeBytes += row.length
  collected.cut += cut

  const origin: SignalOrigin = {
    traceId: record.traceId,
    spanId: record.spanId,
    at,
    service: known.service,
    version: known.version,
    userKey,
    session: sessionOf(record.attributes),
  }
  const exception = readException(record.attributes)
  if (exception !== undefined) {
    const handled = !exception.hasEscaped && levelOf(record.severity) !== 'fatal'
    collected.exceptions.push({ ...origin, exception, handled })
  }
  if (isFlagEvaluation(record.eventName)) {
    const evaluation = readFlagEvaluation(record.attributes)
    if (evaluation !== undefined) collected.evaluations.push({ ...origin, evaluation })
  }
  return undefined
}
