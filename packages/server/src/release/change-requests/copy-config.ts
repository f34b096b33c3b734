import { problem } from '@telltale/core/errors'
import { findEnvironment } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { draftOf } from '../flags/config-draft.ts'
import { lockOpenPlace, type Place } from '../flags/place.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import { getConfig } from '../flags/queries.ts'
import type { Proposer } from './insert-change-request.ts'
import { writeOrPropose } from './write-or-propose.ts'

interface ConfigCopy {
  review: ReviewConfig
  place: Place
  author: Proposer
  /** The environment it is copied from. */
  from: string
  reason: string | undefined
  endsEvidenceOf: readonly string[] | undefined
  ifMatch: number | undefined
}

export const copyConfig = change(async (context, { place, author, from, ifMatch, ...how }: ConfigCopy) => {
  const { db } = context
  const found = await lockOpenPlace(db, place)
  const source = await findEnvironment(db, { projectId: place.project.id, key: from })
  if (!source) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/from', message: `There is no environment "${from}".` }],
    })
  }
  const draft = draftOf(await getConfig(db, { flagId: found.flag.id, environmentId: source.id }))
  const { project, role } = place
  return writeOrPropose(context, { project, role, author, ...found, from: ifMatch, draft, ...how })
})
