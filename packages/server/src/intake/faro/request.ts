// A request of Faro's client, after authentication.

import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { GivenBrowser } from '../events/browsers.ts'
import type { BodySource } from '../events/read-body.ts'
import type { ForeignParts } from '../foreign-events/store-events.ts'
import type { ViewStates } from '../foreign-events/view-states.ts'
import type { Visits } from '../foreign-events/visits.ts'

export interface FaroRequest {
  environment: KnownEnvironment
  browser: GivenBrowser
  country: string
  address: string
  body: BodySource
  /** The memory it takes while it is processed. */
  claim: MemoryClaim
}

export interface FaroParts extends ForeignParts {
  /** For clients that track no sessions. */
  visits: Visits
  viewStates: ViewStates
}

export const faroSource = 'faro'
