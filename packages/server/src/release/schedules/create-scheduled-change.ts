import { patchConfig } from '@telltale/core/changes/patch-config'
import type { OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import type { ConfigPatch } from '@telltale/core/contract/flag-config'
import type { ScheduledChange } from '@telltale/core/contract/scheduled-changes'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { type ChangeContext, type Changed, change } from '../../platform/engines/postgres/change.ts'
import { scheduledChanges } from '../../platform/engines/postgres/change-schema.ts'
import type { Authorship } from '../change-requests/author.ts'
import { toOpened } from '../change-requests/change-request.ts'
import { insertChangeRequest, type Proposer } from '../change-requests/insert-change-request.ts'
import { readFuture } from '../change-requests/read-future.ts'
import { checkDraft } from '../flags/check-draft.ts'
import { draftOf, withRuleIds } from '../flags/config-draft.ts'
import {
  type ConfigRef,
  checkMayChange,
  lockConfigRefToPropose,
  mayChangeProtected,
} from '../flags/config-ref.ts'
import { getConfig } from '../flags/queries.ts'
import { countPending, type PlacedSchedule, type ScheduledChangeRow } from './queries.ts'
import { scheduleChange, toScheduledChange } from './scheduled-change.ts'

interface Scheduling {
  place: ConfigRef
  authorship: Authorship
  proposer: Proposer
  draft: { at: string; change: ConfigPatch; reason?: string }
}

export type ScheduleOutcome = { scheduled: ScheduledChange } | { opened: OpenedChangeRequest }

/** Schedules a change; where approval is required, opens a change request with the scheduled time. */
export const createScheduledChange = change(
  async (context, { place, authorship, proposer, draft }: Scheduling): Promise<Changed<ScheduleOutcome>> => {
    const { db } = context
    const { project, grant } = place
    const { environment, flag } = await lockConfigRefToPropose(db, place)
    const at = readFuture(draft.at, '/at', context.now)
    const patch = withIds(draft.change)
    const ref = { flagId: flag.id, environmentId: environment.id }
    const laid = patchConfig(draftOf(await getConfig(db, ref)), patch)

    const needsApproval =
      environment.approvalRequired && !(mayChangeProtected(environment, grant) && onlyTurnsOff(patch))
    if (needsApproval) {
      const { opened, change: entry } = await insertChangeRequest(context, {
        project,
        environment,
        flag,
        from: undefined,
        draft: laid,
        reason: draft.reason,
        author: proposer,
        scheduledFor: at,
      })
      return { reply: { opened: toOpened(project, opened) }, changes: [entry] }
    }
    checkMayChange(environment, grant)
    await checkDraft(db, { flag, environmentId: environment.id, draft: laid })
    if ((await countPending(db, ref)) >= limits.scheduledChangesPerFlag) {
      throw problem(
        'in-use',
        `At most ${limits.scheduledChangesPerFlag} scheduled changes can be pending here.`,
      )
    }
    const scheduled = newRow(context, {
      projectId: project.id,
      ...ref,
      at,
      patch,
      reason: draft.reason ?? null,
      ...authorship,
    })
    await db.insert(scheduledChanges).values(scheduled)
    const after: PlacedSchedule = { scheduled, env: environment.key, flag: flag.key }
    return {
      reply: { scheduled: toScheduledChange(after) },
      changes: [scheduleChange('create', project, { after })],
    }
  },
)

/** Assigns permanent ids to new rules. */
export function withIds(patch: ConfigPatch): ConfigPatch {
  return patch.rules === undefined ? patch : { ...patch, rules: withRuleIds(patch.rules) }
}

/** Turning a flag off needs no approval. */
export function onlyTurnsOff(patch: ConfigPatch): boolean {
  return patch.enabled === false && Object.keys(patch).length === 1
}

type Given = 'projectId' | 'flagId' | 'environmentId' | 'at' | 'patch' | 'reason' | keyof Authorship

function newRow({ now }: ChangeContext, given: Pick<ScheduledChangeRow, Given>): ScheduledChangeRow {
  return {
    id: newId(),
    ...given,
    state: 'pending',
    failure: null,
    appliedVersion: null,
    version: 1,
    createdAt: now,
    endedAt: null,
  }
}
