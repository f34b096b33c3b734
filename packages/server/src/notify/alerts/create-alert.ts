import type { createAlert as createAlertCall } from '@telltale/core/contract/alerts'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { alertRules } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { alertChange, describeAlert } from './alert.ts'
import { beginWith, checkChannels, checkRule } from './check-alert.ts'
import { type AlertRow, findAlerts } from './queries.ts'

interface AlertCreation {
  project: { id: string; key: string }
  draft: Static<typeof createAlertCall.body>
}

export const createAlert = change(async ({ db, now, actor }, { project, draft }: AlertCreation) => {
  const { name, env, rule, channels } = draft
  checkRule(rule)
  await lockProject(db, project.id)
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  await checkChannels(db, project.id, channels)
  const existing = await findAlerts(db, project.id)
  if (existing.some((one) => one.row.name === name)) {
    throw problem('already-exists', `The alert "${name}" already exists in the project.`)
  }
  if (existing.length >= limits.alertsPerProject) {
    throw problem('in-use', `A project has at most ${limits.alertsPerProject} alerts.`)
  }
  const row: AlertRow = {
    id: newId(),
    projectId: project.id,
    environmentId: environment.id,
    name,
    ...beginWith(rule, now),
    channels,
    mutedUntil: null,
    createdByName: actor.name,
    version: 1,
    createdAt: now,
  }
  await db.insert(alertRules).values(row)
  const after = { row, environment, project }
  return { reply: await describeAlert(db, after), changes: [alertChange('create', { after })] }
})
