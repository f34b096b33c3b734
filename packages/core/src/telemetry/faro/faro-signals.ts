// Log records and spans of Faro's client as requests of OpenTelemetry's protocol, in which sessions have the ID under
// which they are stored.

import { isObject, type JsonObject, listIn, objectIn, textIn } from '../json.ts'
import { writeAttributes, writeNanoseconds } from '../otlp/write-json.ts'
import { noId } from '../row-text.ts'
import { type FaroItem, type FaroMeta, textsIn } from './read-faro.ts'

/** As the protocol numbers them. */
const severities: Readonly<Record<string, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  log: 9,
  warn: 13,
  error: 17,
}

interface Belongs {
  meta: FaroMeta
  session: string
  /** Added to the times of the client. */
  offset: number
}

/** Undefined without records. */
export function faroLogs(
  items: readonly FaroItem[],
  { meta, session, offset }: Belongs,
): JsonObject | undefined {
  const logRecords = items
    .filter(({ kind }) => kind === 'log')
    .map(({ at, raw }) => {
      const trace = objectIn(raw, 'trace')
      const level = textIn(raw, 'level') ?? ''
      return {
        timeUnixNano: at === undefined ? '0' : writeNanoseconds(at + offset),
        ...{ severityNumber: severities[level] ?? 0, severityText: level.toUpperCase() },
        body: { stringValue: textIn(raw, 'message') ?? '' },
        ...{ traceId: textIn(trace, 'trace_id') ?? '', spanId: textIn(trace, 'span_id') ?? '' },
        attributes: writeAttributes({
          ...meta.attributes,
          ...textsIn(objectIn(raw, 'context')),
          ...{ 'session.id': session, 'user.id': meta.userKey, 'url.full': meta.url },
        }),
      }
    })
  if (logRecords.length === 0) return undefined
  const resource = {
    attributes: writeAttributes({ 'service.name': meta.service, 'service.version': meta.version }),
  }
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'faro' }, logRecords }] }] }
}

/** Undefined without spans. */
export function faroSpans(body: JsonObject, session: string): JsonObject | undefined {
  const resourceSpans = listIn(objectIn(body, 'traces'), 'resourceSpans').filter(isObject)
  if (resourceSpans.length === 0) return undefined
  return {
    resourceSpans: resourceSpans.map((ofResource) => ({
      ...ofResource,
      scopeSpans: listIn(ofResource, 'scopeSpans')
        .filter(isObject)
        .map((ofScope) => ({
          ...ofScope,
          spans: listIn(ofScope, 'spans')
            .filter(isObject)
            .map((span) => ({ ...span, attributes: withSession(listIn(span, 'attributes'), session) })),
        })),
    })),
  }
}

const sessionName = 'session.id'

function withSession(attributes: readonly unknown[], session: string): readonly unknown[] {
  if (session === noId) return attributes
  const others = attributes.filter((each) => !isObject(each) || each.key !== sessionName)
  return [...others, { key: sessionName, value: { stringValue: session } }]
}
