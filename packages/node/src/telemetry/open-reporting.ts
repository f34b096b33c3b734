// The calls about telemetry that a client has, by its options.

import type { Exposure, Flags, FlagsOptions } from '../client.ts'
import { createEvaluationCounter, usualCounting } from '../evaluation-counts.ts'
import type { Server } from '../fetch-rule-set.ts'
import type { DeliveryTiming } from './deliver.ts'
import { createScopes, type NotedRead, type Scopes } from './scopes.ts'
import { noTelemetry, startTelemetry } from './telemetry.ts'

interface Reporting {
  scopes: Scopes
  /** Undefined when exposures are not sent. */
  expose: ((exposure: Exposure) => void) | undefined
  /** Something was served: counts it, and notes it in the context in which the code runs. */
  note(read: NotedRead): void
  calls: Pick<
    Flags,
    'withContext' | 'track' | 'captureError' | 'captureRequest' | 'flush' | 'telemetryStatus'
  >
  close(): Promise<void>
}

interface ReportingParts {
  server: Server
  delivery: DeliveryTiming
  onFault(error: unknown): void
}

export function openReporting(
  { telemetry: given = true }: FlagsOptions,
  { server, delivery, onFault }: ReportingParts,
): Reporting {
  const scopes = createScopes(onFault)
  const options = typeof given === 'boolean' ? {} : given
  const telemetry =
    given === false
      ? noTelemetry
      : startTelemetry({ ...options, server, scopes, timing: delivery, now: Date.now, onFault })
  const counter =
    given === false ? undefined : createEvaluationCounter({ server, every: usualCounting, onFault })
  return {
    scopes,
    note(read) {
      counter?.record(read.flag, read.evaluation)
      scopes.note(read)
    },
    expose: given === false || options.exposures === false ? undefined : telemetry.expose,
    calls: {
      withContext: scopes.run,
      track: telemetry.track,
      captureError: telemetry.captureError,
      captureRequest: telemetry.captureRequest,
      async flush(timeLimit) {
        await Promise.all([telemetry.flush(timeLimit), counter?.flush()])
      },
      telemetryStatus: telemetry.status,
    },
    async close() {
      await Promise.all([telemetry.close(), counter?.close()])
    },
  }
}
