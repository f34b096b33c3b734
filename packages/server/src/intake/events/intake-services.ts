import type { Services } from '../../platform/services.ts'
import type { Live } from '../live/live.ts'
import type { ErasedPeople } from './erased-people.ts'
import type { Intake } from './intake.ts'

export interface IntakeServices extends Services {
  /** What browsers hand in goes through it, on its way to the store. */
  intake: Intake
  /** Shows what the intake accepts to whoever watches. */
  live: Live
  /** Whom the intake refuses. */
  erasedPeople: ErasedPeople
}
