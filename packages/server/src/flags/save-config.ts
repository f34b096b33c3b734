import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { change } from '../engines/postgres/change.ts'
import { lockPlace, type Place } from './place.ts'
import { writeConfig } from './write-config.ts'

interface ConfigSave {
  place: Place
  draft: FlagConfigDraft & { version?: number; reason?: string }
  ifMatch: number | undefined
}

export const saveConfig = change(async (context, { place, draft, ifMatch }: ConfigSave) => {
  const { version, reason, ...config } = draft
  const from = ifMatch ?? version
  if (from === undefined) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/version', message: 'or If-Match must name the version that was changed' }],
    })
  }
  const found = await lockPlace(context.db, place)
  return writeConfig(context, { project: place.project, ...found, from, draft: config, reason })
})
