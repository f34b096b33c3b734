import { problem } from '@telltale/core/errors'
import { write } from '@telltale/core/guard/moves'
import { letBackNow } from '@telltale/core/guard/narrow'
import type { Grant } from '@telltale/core/rights'
import { hasEnded } from '@telltale/core/states/rollout'
import { change } from '../../platform/engines/postgres/change.ts'
import { checkMayChange, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { carryOut } from './carry-out.ts'
import { lockRollout, planOf, standingOf } from './queries.ts'
import { toRollout } from './rollout.ts'

interface Restoring {
  project: { id: string; key: string }
  grant: Grant
  id: string
  by: { id: string; name: string }
  turn: number
  exclusion: string
  comment?: string | undefined
}

/** A member lets an excluded slice back. Throws `wrong-state` and `version-conflict`. */
export const restoreSlice = change(
  async (context, { project, grant, id, by, turn, exclusion, comment }: Restoring) => {
    const { db, now } = context
    const before = await lockRollout(db, project.id, id)
    const { environment } = await resolveConfigRef(db, {
      project,
      env: before.environment.key,
      flag: before.flag.key,
    })
    checkMayChange(environment, grant)
    const standing = standingOf(before.row)
    const current = async () => ({ current: await toRollout(db, before) })
    if (hasEnded(standing.state))
      throw problem('wrong-state', { detail: 'The rollout has ended.', ...(await current()) })
    if (turn !== standing.turn)
      throw problem('version-conflict', {
        detail: 'A member or the guard decided in between: reload.',
        ...(await current()),
      })
    const writing = write(planOf(before.row), standing, { now: now.getTime(), findings: [], by: by.id })
    const acted = letBackNow(writing, exclusion)
    if (acted === undefined)
      throw problem('wrong-state', { detail: 'This slice is not excluded.', ...(await current()) })
    const { reply, changes } = await carryOut(context, before, { turn: acted, by, comment })
    return { reply: await toRollout(db, reply), changes }
  },
)
