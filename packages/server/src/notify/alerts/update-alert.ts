import { isDeepStrictEqual } from 'node:util'
import type { updateAlert as updateAlertCall } from '@telltale/core/contract/alerts'
import { problem } from '@telltale/core/errors'
import { and, eq, isNull } from 'drizzle-orm'
import type { Static } from 'typebox'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { alertIncidents, alertRules } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { alertChange, describeAlert } from './alert.ts'
import { beginWith, checkChannels, checkRule } from './check-alert.ts'
import { type AlertRef, findAlerts, lockAlert } from './queries.ts'

interface Update extends AlertRef {
  draft: Static<typeof updateAlertCall.body>
  ifMatch: number | undefined
}

/** A changed rule or environment resets the alert's state. */
export const updateAlert = change(async ({ db, now }, { draft, ifMatch, ...ref }: Update) => {
  const { project } = ref
  await lockProject(db, project.id)
  const before = await lockAlert(db, ref)
  if (ifMatch !== undefined && ifMatch !== before.row.version) {
    throw problem('version-conflict', { current: await describeAlert(db, before) })
  }
  const { name = before.row.name, rule = before.row.rule, channels = before.row.channels } = draft
  checkRule(rule)
  await checkChannels(db, project.id, channels)
  const others = await findAlerts(db, project.id)
  if (others.some(({ row }) => row.name === name && row.id !== before.row.id)) {
    throw problem('already-exists', `The alert "${name}" already exists in the project.`)
  }
  const environment =
    draft.env === undefined
      ? before.environment
      : await getEnvironment(db, { projectId: project.id, key: draft.env })
  const isAnother = environment.id !== before.environment.id || !isDeepStrictEqual(rule, before.row.rule)
  const row = {
    ...before.row,
    name,
    channels,
    environmentId: environment.id,
    ...(isAnother && beginWith(rule, now)),
    version: before.row.version + 1,
  }
  await db.update(alertRules).set(row).where(eq(alertRules.id, row.id))
  if (isAnother) {
    await db
      .update(alertIncidents)
      .set({ endedAt: now, ending: 'changed' })
      .where(and(eq(alertIncidents.alertId, row.id), isNull(alertIncidents.endedAt)))
  }
  const after = { row, environment, project: before.project }
  return { reply: await describeAlert(db, after), changes: [alertChange('update', { before, after })] }
})
