// Spans of servers and log records are stored as those of OpenTelemetry.

import { Readable } from 'node:stream'
import { limits } from '@telltale/core/limits'
import type { JsonObject } from '@telltale/core/telemetry/json'
import { textIn } from '@telltale/core/telemetry/json'
import { singleSpan, streamedSpans, transactionSpans } from '@telltale/core/telemetry/sentry/sentry-span'
import { logsAsOtlp, spansAsOtlp } from '@telltale/core/telemetry/sentry/write-otlp'
import type { OtlpTakes } from '../otlp/open-otlp.ts'
import type { TakeOtlp } from '../otlp/take-request.ts'
import { readObject } from './envelope.ts'
import type { SentryRequest } from './request.ts'

/** Accepted data is on disk when it returns. */
export type PassOnSignals = (request: SentryRequest) => Promise<void>

export function createPassOnSignals({ traces, logs }: OtlpTakes): PassOnSignals {
  return async (request) => {
    for (const { type, payload: bytes } of request.envelope.items) {
      const isSpan = request.browser.isServer && (type === 'span' || type === 'transaction')
      if ((type !== 'log' && !isSpan) || bytes.length > limits.foreignEventSize) continue
      const payload = readObject(bytes, request.claim)
      // What cannot be read is counted with the events.
      if (payload === undefined) continue
      if (type === 'log') await passOn(request, logs, logsAsOtlp(payload))
      else await passOn(request, traces, spansAsOtlp(spansOf(type, payload), textIn(payload, 'release')))
    }
  }
}

function spansOf(type: string, payload: JsonObject) {
  if (type === 'transaction') return transactionSpans(payload)
  return Array.isArray(payload.items) ? streamedSpans(payload) : singleSpan(payload)
}

async function passOn(
  { environment, browser, country, claim }: SentryRequest,
  take: TakeOtlp,
  given: JsonObject,
): Promise<void> {
  const stream = Readable.from([Buffer.from(JSON.stringify(given))])
  await take({
    environment,
    browser,
    country,
    claim,
    encoding: 'json',
    body: { stream, encoding: undefined },
  })
}
