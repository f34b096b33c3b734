// A request of a client of Sentry, after authentication.

import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { GivenBrowser } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import type { EventIds } from '../foreign-events/event-ids.ts'
import type { ViewStates } from '../foreign-events/view-states.ts'
import type { Visits } from '../foreign-events/visits.ts'
import type { CarryFlags } from '../foreign-flags/carry-flags.ts'
import type { Envelope } from './envelope.ts'

export interface SentryRequest {
  environment: KnownEnvironment
  browser: GivenBrowser
  country: string
  address: string
  envelope: Envelope
  /** The memory it takes while it is processed. */
  claim: MemoryClaim
}

export interface SentryParts extends Pick<IntakeServices, 'intake' | 'live' | 'erasedPeople' | 'config'> {
  visits: Visits
  views: ViewStates
  eventIds: EventIds
  carryFlags: CarryFlags
}

export const sentrySource = 'sentry'
