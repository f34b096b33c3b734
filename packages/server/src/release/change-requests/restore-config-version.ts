import { change } from '../../platform/engines/postgres/change.ts'
import { configIn, draftOf } from '../flags/config-draft.ts'
import { lockOpenPlace, type Place } from '../flags/place.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import { getVersion } from '../flags/queries.ts'
import type { Proposer } from './insert-change-request.ts'
import { writeOrPropose } from './write-or-propose.ts'

interface ConfigReturn {
  review: ReviewConfig
  place: Place
  author: Proposer
  version: number
  reason: string | undefined
  endsEvidenceOf: readonly string[] | undefined
  ifMatch: number | undefined
}

/** Saves an old version again, as a new one. Splits keep the positions that they have now, as far as weights allow. */
export const restoreConfigVersion = change(
  async (context, { place, author, version, ifMatch, ...how }: ConfigReturn) => {
    const found = await lockOpenPlace(context.db, place)
    const ref = { flagId: found.flag.id, environmentId: found.environment.id }
    const old = await getVersion(context.db, ref, version)
    const draft = draftOf(configIn(old.config))
    const { project, role } = place
    return writeOrPropose(context, { project, role, author, ...found, from: ifMatch, draft, ...how })
  },
)
