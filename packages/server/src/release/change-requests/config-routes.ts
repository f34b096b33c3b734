// Calls of flags that save a configuration, or open a change request where one is required.

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { Accepted } from '../../platform/http/accepted.ts'
import type { Services } from '../../platform/services.ts'
import { draftOfGiven } from '../flags/given-config.ts'
import { placeOf } from '../flags/place.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { copyConfig } from './copy-config.ts'
import { restoreConfigVersion } from './restore-config-version.ts'
import { saveConfig } from './save-config.ts'
import type { SaveOutcome } from './write-or-propose.ts'

export const configRoutes: Handlers<
  Pick<Calls['flags'], 'saveFlagConfig' | 'restoreFlagConfigVersion' | 'copyFlagConfig'>,
  Services & { policy: ReleasePolicy }
> = {
  saveFlagConfig: async ({ db, policy }, { project, params, origin, caller, body, ifMatch }) => {
    const place = placeOf(project, params)
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
      place: placeOf(project, params),
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
      place: placeOf(project, params),
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
