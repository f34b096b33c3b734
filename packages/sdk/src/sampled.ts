import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import type { ReportFault } from './browser/guard.ts'
import type { MonitoringOptions } from './monitoring.ts'
import type { Settings } from './settings.ts'
import type { Server } from './transport/send.ts'

/** What runs in a session of a sample. */
export interface Sampled {
  /** Called for each sent event. Returns whether a replay shows it. */
  note(event: TelemetryEvent, context: EventContext): boolean
  /** Stops sending, unless pending data may still be sent. */
  stop(sendsRest?: boolean): void
}

/** Where it runs. */
export interface SampledPlace {
  server: Server
  own: MonitoringOptions
  settings(): Settings
  report: ReportFault
}
