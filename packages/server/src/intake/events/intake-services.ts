import type { Services } from '../../platform/services.ts'
import type { Live } from '../live/live.ts'
import type { ErasedPeople } from './erased-people.ts'
import type { Intake } from './intake.ts'

export interface IntakeServices extends Services {
  /** Telemetry from browsers passes through it on its way to the store. */
  intake: Intake
  /** Streams accepted events to live tails. */
  live: Live
  /** Erased users, whose events the intake refuses. */
  erasedPeople: ErasedPeople
}
