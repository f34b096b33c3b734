// Spans of servers and log records are stored as those of OpenTelemetry.

import { limits } from '@telltale/core/limits'
import { type JsonObject, textIn } from '@telltale/core/telemetry/json'
import { singleSpan, streamedSpans, transactionSpans } from '@telltale/core/telemetry/sentry/sentry-span'
import { logsAsOtlp, spansAsOtlp } from '@telltale/core/telemetry/sentry/write-otlp'
import type { Intake } from '../events/intake.ts'
import type { OtlpTakes } from '../otlp/open-otlp.ts'
import { passOn } from '../otlp/pass-on.ts'
import { readObject } from './envelope.ts'
import { type SentryRequest, sentrySource } from './request.ts'

/** Accepted data is on disk when it returns. */
export type PassOnSignals = (request: SentryRequest) => Promise<void>

export function createPassOnSignals(
  { traces, logs }: Pick<OtlpTakes, 'traces' | 'logs'>,
  { outcomes }: Pick<Intake, 'outcomes'>,
): PassOnSignals {
  return async (request) => {
    for (const { type, payload: bytes } of request.envelope.items) {
      const isSpan = request.browser.isServer && (type === 'span' || type === 'transaction')
      if (type !== 'log' && !isSpan) continue
      const isTooLarge = bytes.length > limits.foreignEventSize
      const payload = isTooLarge ? undefined : readObject(bytes, request.claim)
      if (payload === undefined) {
        const about = { environmentId: request.environment.id, source: sentrySource }
        const reason = isTooLarge ? 'too_large' : 'malformed'
        outcomes.count({ ...about, kind: isSpan ? 'span' : 'log', reason }, 1)
      } else if (type === 'log') await passOn(request, logs, logsAsOtlp(payload))
      else await passOn(request, traces, spansAsOtlp(spansOf(type, payload), textIn(payload, 'release')))
    }
  }
}

function spansOf(type: string, payload: JsonObject) {
  if (type === 'transaction') return transactionSpans(payload)
  return Array.isArray(payload.items) ? streamedSpans(payload) : singleSpan(payload)
}
