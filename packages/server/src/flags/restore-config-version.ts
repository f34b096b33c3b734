import { change } from '../engines/postgres/change.ts'
import { draftOf } from './config-draft.ts'
import { lockPlace, type Place } from './place.ts'
import { type ConfigRow, getVersion } from './queries.ts'
import { writeConfig } from './write-config.ts'

interface ConfigReturn {
  place: Place
  version: number
  reason: string | undefined
  ifMatch: number | undefined
}

/** Saves an old version again, as a new one. Splits keep the positions that they have now, as far as weights allow. */
export const restoreConfigVersion = change(
  async (context, { place, version, reason, ifMatch }: ConfigReturn) => {
    const found = await lockPlace(context.db, place)
    const ref = { flagId: found.flag.id, environmentId: found.environment.id }
    const old = await getVersion(context.db, ref, version)
    const draft = draftOf(configIn(old.config))
    return writeConfig(context, { project: place.project, ...found, from: ifMatch, draft, reason })
  },
)

type StoredConfig = Omit<ConfigRow, 'version' | 'savedAt' | 'oneVariationSince'>

/** Versions hold what the configuration held when they were saved. */
export function configIn(config: object): StoredConfig {
  return config as StoredConfig
}
