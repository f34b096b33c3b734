import type { Grant } from '@telltale/core/rights'
import { change } from '../../platform/engines/postgres/change.ts'
import { checkMayChange, resolveConfigRef } from '../flags/config-ref.ts'
import { lockScheduledChange } from './queries.ts'
import { refuseEnded, scheduleChange, storeSchedule, toScheduledChange } from './scheduled-change.ts'

interface Cancellation {
  project: { id: string; key: string }
  grant: Grant
  id: string
}

export const cancelScheduledChange = change(async ({ db, now }, { project, grant, id }: Cancellation) => {
  const before = await lockScheduledChange(db, project.id, id)
  const { environment } = await resolveConfigRef(db, { project, env: before.env, flag: before.flag })
  checkMayChange(environment, grant)
  refuseEnded(before)
  const after = await storeSchedule(db, before, { state: 'cancelled', endedAt: now })
  return {
    reply: toScheduledChange(after),
    changes: [scheduleChange('cancel', project, { before, after })],
  }
})
