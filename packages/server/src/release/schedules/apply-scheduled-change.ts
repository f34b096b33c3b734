import { isOffSwitch, patchConfig } from '@telltale/core/changes/patch-config'
import { isSame } from '@telltale/core/changes/same'
import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import { refuseLapsed } from '../change-requests/author.ts'
import { completed, draftOf } from '../flags/config-draft.ts'
import { refuseArchived, resolveConfigRef } from '../flags/config-ref.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import { getConfig } from '../flags/queries.ts'
import { writeConfig } from '../flags/write-config.ts'
import { lockScheduledChange } from './queries.ts'
import { scheduleChange, storeSchedule } from './scheduled-change.ts'

interface DueRef {
  project: { id: string; key: string }
  id: string
  /** The version that was due: a change moved, edited or applied since is ignored. */
  version: number
}

interface Due extends DueRef {
  review: ReviewConfig
}

/** Saves a scheduled change if its author still has the permission. Throws the reason otherwise. */
export const applyScheduledChange = change(async (context, { review, project, id, version }: Due) => {
  const { db, now } = context
  const before = await lockScheduledChange(db, project.id, id)
  const { scheduled } = before
  if (scheduled.version !== version) return { reply: null, changes: [] }
  const { environment, flag } = await resolveConfigRef(db, { project, env: before.env, flag: before.flag })
  const right = { project, environment, now }
  await refuseLapsed(db, scheduled, { ...right, permission: 'flags.change' })
  if (environment.protected)
    await refuseLapsed(db, scheduled, { ...right, permission: 'flags.change-protected' })
  refuseArchived(flag)

  const current = draftOf(await getConfig(db, { flagId: flag.id, environmentId: environment.id }))
  const draft = completed(patchConfig(current, scheduled.patch))
  const isFree = isSame(current, draft) || isOffSwitch(current, draft)
  if (environment.approvalRequired && !isFree) {
    throw problem('forbidden', `Changes in "${environment.key}" now require approval.`)
  }
  const reason = scheduled.reason ?? undefined
  const write = { review, project, environment, flag, from: undefined, draft, reason }
  const { reply, changes } = await writeConfig(context, write)
  const set = { state: 'applied', appliedVersion: reply.version, endedAt: now } as const
  const after = await storeSchedule(db, before, set)
  return { reply: null, changes: [...changes, scheduleChange('apply', project, { before, after })] }
})

/** Records why it could not be saved; there is no retry. */
export const failScheduledChange = change(
  async ({ db, now }, { project, id, version, failure }: DueRef & { failure: string }) => {
    const before = await lockScheduledChange(db, project.id, id)
    if (before.scheduled.version !== version) return { reply: null, changes: [] }
    const after = await storeSchedule(db, before, { state: 'failed', failure, endedAt: now })
    return { reply: null, changes: [scheduleChange('fail', project, { before, after })] }
  },
)
