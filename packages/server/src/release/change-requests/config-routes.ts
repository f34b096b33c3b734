// Routes that save a flag's configuration, or open a change request where approval is required.

import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { Handlers } from '../../access/route.ts'
import { findEnvironment } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { Accepted } from '../../platform/http/accepted.ts'
import type { Services } from '../../platform/services.ts'
import { draftOf } from '../flags/config-draft.ts'
import { type ConfigRef, configPathOf, lockConfigRefToPropose } from '../flags/config-ref.ts'
import { draftOfGiven } from '../flags/given-config.ts'
import type { ReleasePolicy, ReviewConfig } from '../flags/policy.ts'
import { getConfig, getVersion } from '../flags/queries.ts'
import type { Proposer } from './insert-change-request.ts'
import { saveConfig } from './save-config.ts'
import type { SaveOutcome } from './write-or-propose.ts'
import { writeOrPropose } from './write-or-propose.ts'

interface ConfigReturn {
  review: ReviewConfig
  place: ConfigRef
  author: Proposer
  version: number
  reason: string | undefined
  endsEvidenceOf: readonly string[] | undefined
  ifMatch: number | undefined
}

/** Saves an old version as a new one. Splits keep their current bucket ranges as far as the weights allow. */
const restoreConfigVersion = change(
  async (context, { place, author, version, ifMatch, ...how }: ConfigReturn) => {
    const found = await lockConfigRefToPropose(context.db, place)
    const ref = { flagId: found.flag.id, environmentId: found.environment.id }
    const old = await getVersion(context.db, ref, version)
    const draft = draftOf(old.config)
    const { project, grant } = place
    return writeOrPropose(context, { project, grant, author, ...found, from: ifMatch, draft, ...how })
  },
)

interface ConfigCopy {
  review: ReviewConfig
  place: ConfigRef
  author: Proposer
  /** The environment to copy from. */
  from: string
  reason: string | undefined
  endsEvidenceOf: readonly string[] | undefined
  ifMatch: number | undefined
}

const copyConfig = change(async (context, { place, author, from, ifMatch, ...how }: ConfigCopy) => {
  const { db } = context
  const found = await lockConfigRefToPropose(db, place)
  const source = await findEnvironment(db, { projectId: place.project.id, key: from })
  if (!source) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/from', message: `There is no environment "${from}".` }],
    })
  }
  const draft = draftOf(await getConfig(db, { flagId: found.flag.id, environmentId: source.id }))
  const { project, grant } = place
  return writeOrPropose(context, { project, grant, author, ...found, from: ifMatch, draft, ...how })
})

export const configRoutes: Handlers<
  Pick<Calls['flags'], 'saveFlagConfig' | 'restoreFlagConfigVersion' | 'copyFlagConfig'>,
  Services & { policy: ReleasePolicy }
> = {
  saveFlagConfig: async ({ db, policy }, { project, params, origin, caller, body, ifMatch }) => {
    const place = configPathOf(project, params)
    const draft = { ...body, ...draftOfGiven(body) }
    return answerOf(
      await saveConfig(db, origin, {
        review: policy.reviewConfig,
        place,
        author: caller.user,
        draft,
        ifMatch,
      }),
    )
  },
  restoreFlagConfigVersion: async ({ db, policy }, { project, params, origin, caller, body, ifMatch }) => {
    const { reason, endsEvidenceOf } = body
    const review = policy.reviewConfig
    const of = {
      review,
      place: configPathOf(project, params),
      author: caller.user,
      reason,
      endsEvidenceOf,
      ifMatch,
    }
    return answerOf(await restoreConfigVersion(db, origin, { ...of, version: Number(params.version) }))
  },
  copyFlagConfig: async ({ db, policy }, { project, params, origin, caller, body, ifMatch }) => {
    const { reason, endsEvidenceOf, from } = body
    const review = policy.reviewConfig
    const to = {
      review,
      place: configPathOf(project, params),
      author: caller.user,
      reason,
      endsEvidenceOf,
      ifMatch,
    }
    return answerOf(await copyConfig(db, origin, { ...to, from }))
  },
}

function answerOf(outcome: SaveOutcome) {
  return 'saved' in outcome ? outcome.saved : new Accepted(outcome.opened.address, outcome.opened)
}
