import type { RecordingOrder, RecordingRates } from '@telltale/core/recording/chance'
import type { KnownKeys } from '../../organisation/keys/known-keys.ts'
import type { SdkKeys } from '../../organisation/keys/sdk-key.ts'
import type { AppliedReduction } from '../../organisation/quotas/reductions.ts'
import type { SignedUserCounts } from '../../organisation/signed-users/count-signed-users.ts'
import type { MeteredEnvironment } from '../../organisation/usage/count-usage.ts'
import type { EvaluationCounts } from '../evaluations/count-evaluations.ts'
import type { ReportIds } from '../evaluations/report-ids.ts'
import type { IdentityNotes } from '../identities/note-identity.ts'
import type { RuleSets } from './rule-sets.ts'
import type { Streams } from './streams.ts'

/** Compared by identity: the same object as long as nothing changes. */
export interface ServedPlan {
  base: RecordingRates
  orders: readonly RecordingOrder[]
}

/** Dependencies of the delivery routes. */
export interface Delivery {
  known: KnownKeys
  keys: SdkKeys
  ruleSets: RuleSets
  streams: Streams
  evaluationCounts: EvaluationCounts
  /** Of clients that count on their own. */
  reportIds: ReportIds
  identityNotes: Pick<IdentityNotes, 'note'>
  signedUserCounts: Pick<SignedUserCounts, 'count'>
  reductions: { of(environment: MeteredEnvironment): Pick<AppliedReduction, 'pausesRecording'> | undefined }
  recordingPlans: { of(environmentId: string): ServedPlan | undefined }
  /** What the request of a browser says of it, as attributes of the context: only for rules that read them. */
  requestAttributes?: RequestAttributes | undefined
  now(): number
}

/** `header`: by lower-case name. */
export type RequestAttributes = (from: {
  header: (name: string) => string | undefined
  address: () => string
}) => Readonly<Record<string, string>>
