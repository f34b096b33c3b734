// All services of the process. Each module declares the ones it needs; only the assembly knows all of them.

import type { Guard } from '../guard/looks/guard.ts'
import type { IntakeServices } from '../intake/events/intake-services.ts'
import type { StackMapper } from '../intake/source-maps/map-frames.ts'
import type { Reductions } from '../organisation/quotas/reductions.ts'
import type { RecordingPlans } from '../organisation/recording-plans/recording-plans.ts'
import type { SignedUserCounts } from '../organisation/signed-users/count-signed-users.ts'
import type { UsageCounts } from '../organisation/usage/count-usage.ts'
import type { ChangeOrigin } from '../platform/engines/postgres/change.ts'
import type { EvaluationCounts } from '../release/evaluations/count-evaluations.ts'
import type { ReleasePolicy } from '../release/flags/policy.ts'
import type { EntryKinds } from '../release/flags-as-code/entry-kinds.ts'
import type { IdentityNotes } from '../release/identities/note-identity.ts'

export interface Services extends IntakeServices {
  /** Creates the project in which the console monitors itself, if this is enabled. */
  makeOwnProject(origin: Omit<ChangeOrigin, 'actor'>): Promise<void>
  evaluationCounts: EvaluationCounts
  identityNotes: IdentityNotes
  signedUserCounts: SignedUserCounts
  /** What projects use. */
  usage: UsageCounts
  /** What quotas and spikes reduce now. */
  reductions: Reductions
  /** Which sessions are recorded more often now. */
  recordingPlans: RecordingPlans
  /** Removes traits that became private from the store, in the background. */
  forgetPrivateTraits(environmentId: string): void
  /** Rules of higher modules for changes of flags. */
  policy: ReleasePolicy
  /** Kinds of flags as code that higher modules own. */
  entryKinds: EntryKinds
  /** Maps stacks with the uploaded source maps. */
  stackMapper: StackMapper
  /** Watches the running rollouts. */
  guard: Guard
}
