import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { change } from '../../platform/engines/postgres/change.ts'
import { identityOverrides } from '../../platform/engines/postgres/schema.ts'
import { type ConfigRef, lockConfigRef } from '../flags/config-ref.ts'
import { overrideChange, toOverride } from './override.ts'
import { countOverrides, findOverride, matches, type OverrideRow } from './queries.ts'

interface OverridePut {
  place: ConfigRef
  targetingKey: string
  variation: string
}

/** Sets the variation of one subject. Throws `in-use` if the environment has reached its limit. */
export const putOverride = change(async ({ db, now }, { place, targetingKey, variation }: OverridePut) => {
  const { flag, environment } = await lockConfigRef(db, place)
  if (!flag.variations.some(({ key }) => key === variation)) {
    const message = `The flag "${flag.key}" has no variation "${variation}".`
    throw problem('invalid-request', { errors: [{ pointer: '/variation', message }] })
  }
  const ref = { environmentId: environment.id, flagId: flag.id, targetingKey }
  const before = await findOverride(db, ref)
  if (before?.variation === variation) return { reply: toOverride(before), changes: [] }
  if (!before && (await countOverrides(db, environment.id)) >= limits.overridesPerEnvironment) {
    throw problem('in-use', `An environment has at most ${limits.overridesPerEnvironment} overrides.`)
  }

  const after: OverrideRow = { ...ref, variation, createdAt: before?.createdAt ?? now }
  if (before) await db.update(identityOverrides).set({ variation }).where(matches(ref))
  else await db.insert(identityOverrides).values(after)
  return {
    reply: toOverride(after),
    changes: [
      overrideChange('override.put', { project: place.project, environment, flag }, { before, after }),
    ],
  }
})
