// What the client gives to the toolbar.

import type { FlagContext } from '../flags/context.ts'
import type { RunningFlags } from '../flags.ts'
import type { Monitoring, MonitoringOptions } from '../monitoring.ts'
import type { Server } from '../transport/send.ts'
import type { SentEvent, ToolbarInForce } from './kept.ts'

export interface ToolbarPlace
  extends Pick<RunningFlags, 'onChange'>,
    Pick<Monitoring, 'track' | 'sessionId'> {
  server: Server
  context(): FlagContext
  /** Notifies the application that these flags changed. */
  change: RunningFlags['notify']
  own: MonitoringOptions
  /** When its user did something in the toolbar. */
  ofToolbar: Set<number>
  /** In force from when it is changed. */
  kept: ToolbarInForce
  /** The latest ones. */
  sent: readonly SentEvent[]
}
