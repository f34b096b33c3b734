// Everything that the process hands to its modules. Each of them names what it needs; nobody but the assembly knows all of it.

import type { Guard } from '../guard/looks/guard.ts'
import type { IntakeServices } from '../intake/events/intake-services.ts'
import type { StackMapper } from '../intake/source-maps/map-frames.ts'
import type { ChangeOrigin } from '../platform/engines/postgres/change.ts'
import type { EvaluationCounts } from '../release/evaluations/count-evaluations.ts'
import type { ReleasePolicy } from '../release/flags/policy.ts'
import type { IdentityNotes } from '../release/identities/note-identity.ts'

export interface Services extends IntakeServices {
  /** Makes the project in which the console is its own customer, where that is asked for. */
  makeOwnProject(origin: Omit<ChangeOrigin, 'actor'>): Promise<void>
  evaluationCounts: EvaluationCounts
  identityNotes: IdentityNotes
  /** Removes traits that became private from what is stored, behind the request. */
  forgetPrivateTraits(environmentId: string): void
  /** What has a say when flags change. */
  policy: ReleasePolicy
  /** Reads stacks with the source maps that were uploaded. */
  stackMapper: StackMapper
  /** Looks after the rollouts that run. */
  guard: Guard
}
