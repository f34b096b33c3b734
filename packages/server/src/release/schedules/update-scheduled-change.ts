import { patchConfig } from '@telltale/core/changes/patch-config'
import type { ConfigPatch } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Authorship } from '../change-requests/author.ts'
import { readFuture } from '../change-requests/read-future.ts'
import { checkDraft } from '../flags/check-draft.ts'
import { draftOf } from '../flags/config-draft.ts'
import { checkMayChange, refuseArchived, resolveConfigRef } from '../flags/config-ref.ts'
import { getConfig } from '../flags/queries.ts'
import { onlyTurnsOff, withIds } from './create-scheduled-change.ts'
import { lockScheduledChange } from './queries.ts'
import { refuseEnded, scheduleChange, storeSchedule, toScheduledChange } from './scheduled-change.ts'

interface Update {
  project: { id: string; key: string }
  grant: Grant
  id: string
  authorship: Authorship
  draft: { at?: string; change?: ConfigPatch; reason?: string | null }
  ifMatch: number | undefined
}

/** Fields missing from the draft keep their values. The editor becomes its author. */
export const updateScheduledChange = change(
  async ({ db, now }, { project, grant, id, authorship, draft, ifMatch }: Update) => {
    const before = await lockScheduledChange(db, project.id, id)
    if (ifMatch !== undefined && ifMatch !== before.scheduled.version) {
      throw problem('version-conflict', { current: toScheduledChange(before) })
    }
    refuseEnded(before)
    const { environment, flag } = await resolveConfigRef(db, { project, env: before.env, flag: before.flag })
    checkMayChange(environment, grant)
    refuseArchived(flag)
    const patch = draft.change === undefined ? before.scheduled.patch : withIds(draft.change)
    if (environment.approvalRequired && !onlyTurnsOff(patch)) {
      throw problem('wrong-state', 'Changes now require approval here: cancel it and schedule it again.')
    }
    const current = await getConfig(db, { flagId: flag.id, environmentId: environment.id })
    const laid = patchConfig(draftOf(current), patch)
    await checkDraft(db, { flag, environmentId: environment.id, draft: laid })

    const after = await storeSchedule(db, before, {
      at: readFuture(draft.at, '/at', now) ?? before.scheduled.at,
      patch,
      reason: draft.reason === undefined ? before.scheduled.reason : draft.reason,
      ...authorship,
    })
    return {
      reply: toScheduledChange(after),
      changes: [scheduleChange('update', project, { before, after })],
    }
  },
)
