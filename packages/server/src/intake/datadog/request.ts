// A request of the Datadog client, after authentication.

import type { Readable } from 'node:stream'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { GivenBrowser } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import type { EventIds } from '../foreign-events/event-ids.ts'
import type { CarryFlags } from '../foreign-flags/carry-flags.ts'
import type { DatadogSessions } from './sessions.ts'
import type { DatadogViews } from './views.ts'

export interface DatadogRequest {
  environment: KnownEnvironment
  /** Of the forwarded address. */
  parameters: URLSearchParams
  browser: GivenBrowser
  country: string
  /** Milliseconds for which an edge kept it. */
  waited: number
  /** Sent while the page unloads, without waiting for a response. */
  isBeacon: boolean
  contentType: string
  body: Readable
  /** The memory it takes while it is processed. */
  claim: MemoryClaim
}

export interface DatadogParts
  extends Pick<IntakeServices, 'intake' | 'live' | 'erasedPeople' | 'log' | 'config'> {
  sessions: DatadogSessions
  views: DatadogViews
  eventIds: EventIds
  carryFlags: CarryFlags
}

/** Handles a request; accepted data is on disk when it returns. Otherwise throws a problem. */
export type TakeRequest = (request: DatadogRequest) => Promise<void>

export const datadogSource = 'datadog'
