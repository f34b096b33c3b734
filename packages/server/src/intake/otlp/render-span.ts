import { limits } from '@telltale/core/limits'
import { cutText } from '@telltale/core/telemetry/clean-text'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { type OtlpSpan, textOfAttribute, textOfValue } from '@telltale/core/telemetry/otlp/otlp'
import {
  type FlagEvaluation,
  isFlagEvaluation,
  readException,
  readFlagEvaluation,
} from '@telltale/core/telemetry/otlp/read-signals'
import { sessionOf, spanRow, userOf } from '@telltale/core/telemetry/otlp/span-row'
import { allowedUser } from '../events/steps/check-users.ts'
import type { RenderItem, Rendering, SignalOrigin } from './otlp-request.ts'

const failed = 2
const flagsPerSpan = 64

/** A span as a row, with the exceptions and evaluations among its events. */
export const renderSpan: RenderItem<OtlpSpan> = ({ item: span, resource, scope }, rendering) => {
  const { environment, receivedAt, store, boundName, collected } = rendering
  if (span.traceId === '' || span.spanId === '') return 'invalid'
  const at = span.startedAt / 1_000
  if (!isLikely(at, { arrivedAt: receivedAt, ageMaximum: limits.eventAgeMaximum }))
    return 'timestamp_out_of_range'
  const userKey = cutText(userOf(span.attributes), limits.targetingKeyLength)
  if (userKey !== '' && rendering.isErased(userKey)) return 'erased_person'

  const known = rendering.serviceOf(resource.attributes)
  const origin: SignalOrigin = {
    traceId: span.traceId,
    spanId: span.spanId,
    at,
    service: known.service,
    version: known.version,
    userKey,
    session: sessionOf(span.attributes),
  }
  const evaluations = takeEvents(span, origin, rendering)
  const { row, cut } = spanRow(span, {
    shared: known.shared,
    scope: boundName(environment.id, 'scope', store.line(scope)),
    name: boundName(environment.id, 'name', store.line(span.name)),
    endpoint: boundName(environment.id, 'endpoint', store.line(routeOf(span))),
    userKey: allowedUser(userKey, rendering.userCheck),
    flags: evaluations.length === 0 ? '[]' : JSON.stringify(evaluations.map(pairOf)),
    store,
  })
  collected.newest = Math.max(collected.newest ?? 0, at)
  collected.rows.push(row)
  collected.sizeBytes += row.length
  collected.cut += cut
  return undefined
}

const routeOf = ({ attributes }: OtlpSpan) => textOfAttribute(attributes, 'http.route')

/** Returns the evaluations. */
function takeEvents(span: OtlpSpan, origin: SignalOrigin, { collected }: Rendering): FlagEvaluation[] {
  const evaluations: FlagEvaluation[] = []
  for (const { name, attributes, at: micros } of span.events) {
    const at = micros > 0 ? micros / 1_000 : origin.at
    if (name === 'exception') {
      const exception = readException(attributes)
      if (exception === undefined) continue
      const handled = !exception.hasEscaped && span.status !== failed
      collected.exceptions.push({ ...origin, at, exception, handled })
    } else if (isFlagEvaluation(name)) {
      const evaluation = readFlagEvaluation(attributes)
      if (evaluation === undefined) continue
      collected.evaluations.push({ ...origin, at, evaluation })
      if (evaluations.length < flagsPerSpan) evaluations.push(evaluation)
    }
  }
  return evaluations
}

/** As in the column `flags` of events. */
export function pairOf({ flag, variant, value }: FlagEvaluation): string {
  const served = variant === '' ? textOfValue(value ?? null) : variant
  return `${cutText(flag.replaceAll('=', '_'), limits.keyLength)}=${cutText(served, limits.keyLength)}`
}
