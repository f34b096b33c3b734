// The calls about telemetry that a client has, by its options.

import type { Exposure, Flags, FlagsOptions } from '../client.ts'
import type { Server } from '../fetch-rule-set.ts'
import type { DeliveryTiming } from './deliver.ts'
import { createScopes, type Scopes } from './scopes.ts'
import { noTelemetry, startTelemetry } from './telemetry.ts'

interface Reporting {
  scopes: Scopes
  /** Undefined when exposures are not sent. */
  expose: ((exposure: Exposure) => void) | undefined
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
  return {
    scopes,
    expose: given === false || options.exposures === false ? undefined : telemetry.expose,
    calls: {
      withContext: scopes.run,
      track: telemetry.track,
      captureError: telemetry.captureError,
      captureRequest: telemetry.captureRequest,
      flush: telemetry.flush,
      telemetryStatus: telemetry.status,
    },
    close: telemetry.close,
  }
}
