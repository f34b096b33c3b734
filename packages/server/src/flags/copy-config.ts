import { problem } from '@telltale/core/errors'
import { change } from '../engines/postgres/change.ts'
import { findEnvironment } from '../environments/queries.ts'
import { draftOf } from './config-draft.ts'
import { lockPlace, type Place } from './place.ts'
import { getConfig } from './queries.ts'
import { writeConfig } from './write-config.ts'

interface ConfigCopy {
  place: Place
  /** The environment it is copied from. */
  from: string
  reason: string | undefined
  ifMatch: number | undefined
}

export const copyConfig = change(async (context, { place, from, reason, ifMatch }: ConfigCopy) => {
  const { db } = context
  const found = await lockPlace(db, place)
  const source = await findEnvironment(db, { projectId: place.project.id, key: from })
  if (!source) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/from', message: `There is no environment "${from}".` }],
    })
  }
  const draft = draftOf(await getConfig(db, { flagId: found.flag.id, environmentId: source.id }))
  return writeConfig(context, { project: place.project, ...found, from: ifMatch, draft, reason })
})
