// A request of a client of Sentry, after authentication.

import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { GivenBrowser } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import type { EventIds } from '../foreign-events/event-ids.ts'
import type { CarryFlags } from '../foreign-flags/carry-flags.ts'
import type { Envelope } from './envelope.ts'
import type { SentryViews } from './views.ts'
import type { SentryVisits } from './visits.ts'

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
  visits: SentryVisits
  views: SentryViews
  eventIds: EventIds
  carryFlags: CarryFlags
}

export const sentrySource = 'sentry'
