// Everything that the process hands to its modules. Each of them names what it needs; nobody but the assembly knows all of it.

import type { ChangeOrigin } from './engines/postgres/change.ts'
import type { EvaluationCounts } from './evaluations/count-evaluations.ts'
import type { ReleasePolicy } from './flags/policy.ts'
import type { Guard } from './guard/guard.ts'
import type { IdentityNotes } from './identities/note-identity.ts'
import type { IntakeServices } from './intake/intake-services.ts'
import type { StackMapper } from './source-maps/map-frames.ts'

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
