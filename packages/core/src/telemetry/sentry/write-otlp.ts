// Writes spans and log records of Sentry's clients as OpenTelemetry's protocol in JSON, so that both are stored and shown
// in the same way.

import { isObject, type JsonObject, listIn, numberIn, objectIn, textIn } from '../json.ts'
import { writeAttributes, writeNanoseconds } from '../otlp/write-json.ts'
import { flagsOfAttributes } from './sentry-context.ts'
import { traceIdIn } from './sentry-id.ts'
import type { SentrySpan } from './sentry-span.ts'
import { timeIn } from './sentry-time.ts'

/** Of `shop@1.42.0`, which names its application. */
export function serviceOfRelease(release: string | undefined): string | undefined {
  const at = release?.lastIndexOf('@') ?? -1
  return at > 0 ? release?.slice(0, at) : undefined
}

/** The operation says what the protocol numbers: 2 server, 3 client, 4 producer, 5 consumer, 1 anything else. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/^(?:http\.server|rpc\.server|function)/, 2],
  [/^(?:http\.client|db|cache|rpc|ai|gen_ai)/, 3],
  [/^queue\.(?:publish|submit)/, 4],
  [/^queue/, 5],
]
const kindOf = (op: string) => kinds.find(([form]) => form.test(op))?.[1] ?? 1

export function spansAsOtlp(spans: readonly SentrySpan[], release: string | undefined): JsonObject {
  return {
    resourceSpans: spans.map(({ attributes, ...span }) => ({
      resource: resourceOf(textIn(attributes, 'sentry.release') ?? release, attributes),
      scopeSpans: [
        {
          scope: { name: 'sentry' },
          spans: [
            {
              ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentId },
              ...{ name: span.name, kind: kindOf(span.op) },
              startTimeUnixNano: writeNanoseconds(span.start),
              endTimeUnixNano: writeNanoseconds(span.end),
              attributes: writeAttributes({ ...attributes, 'user.id': userOf(attributes) }),
              events: evaluationsOf(attributes, span.start),
              status: { code: span.isFailed ? 2 : 0 },
            },
          ],
        },
      ],
    })),
  }
}

/** The flags that were evaluated while the span ran, which the client notes on it; they are exposures of its user. */
const evaluationsOf = (attributes: JsonObject, at: number) =>
  Object.entries(flagsOfAttributes(attributes)).map(([flag, value]) => ({
    name: 'feature_flag.evaluation',
    timeUnixNano: writeNanoseconds(at),
    attributes: writeAttributes({ 'feature_flag.key': flag, 'feature_flag.result.value': value }),
  }))

/** Of the item `log`. */
export function logsAsOtlp(payload: JsonObject): JsonObject {
  const records = listIn(payload, 'items').filter(isObject)
  return {
    resourceLogs: records.map((record) => {
      const given = Object.entries(objectIn(record, 'attributes'))
      const attributes = Object.fromEntries(
        given.map(([name, value]) => [name, isObject(value) ? value.value : value]),
      )
      return {
        resource: resourceOf(textIn(attributes, 'sentry.release'), attributes),
        scopeLogs: [
          {
            scope: { name: 'sentry' },
            logRecords: [
              {
                timeUnixNano: writeNanoseconds(timeIn(record, 'timestamp') ?? 0),
                severityNumber: numberIn(record, 'severity_number') ?? 0,
                severityText: (textIn(record, 'level') ?? '').toUpperCase(),
                body: { stringValue: textIn(record, 'body') ?? '' },
                traceId: traceIdIn(record) ?? '',
                spanId: textIn(record, 'span_id') ?? textIn(attributes, 'sentry.trace.parent_span_id') ?? '',
                attributes: writeAttributes(attributes),
              },
            ],
          },
        ],
      }
    }),
  }
}

function resourceOf(release: string | undefined, attributes: JsonObject) {
  const service = textIn(attributes, 'service.name') ?? serviceOfRelease(release)
  return { attributes: writeAttributes({ 'service.name': service, 'service.version': release }) }
}

const userOf = (attributes: JsonObject) =>
  textIn(attributes, 'user.id') ?? textIn(attributes, 'user.username') ?? textIn(attributes, 'user.email')
