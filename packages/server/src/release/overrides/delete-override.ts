import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import { identityOverrides } from '../../platform/engines/postgres/schema.ts'
import { type ConfigRef, lockConfigRef } from '../flags/config-ref.ts'
import { overrideChange } from './override.ts'
import { findOverride, matches } from './queries.ts'

interface OverrideDeletion {
  place: ConfigRef
  targetingKey: string
}

export const deleteOverride = change(async ({ db }, { place, targetingKey }: OverrideDeletion) => {
  const { flag, environment } = await lockConfigRef(db, place)
  const ref = { environmentId: environment.id, flagId: flag.id, targetingKey }
  const before = await findOverride(db, ref)
  if (!before) throw problem('not-found', 'There is no override for this targeting key.')

  await db.delete(identityOverrides).where(matches(ref))
  return {
    reply: null,
    changes: [overrideChange('override.delete', { project: place.project, environment, flag }, { before })],
  }
})
