import type { Calls } from '@telltale/core/contract/calls'
import type { GivenConfig } from '@telltale/core/contract/flag-config'
import type { Handlers } from '../../access/route.ts'
import { Accepted } from '../../platform/http/accepted.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { authorshipOf } from '../change-requests/author.ts'
import { patchOfGiven } from '../flags/given-config.ts'
import { cancelScheduledChange } from './cancel-scheduled-change.ts'
import { createScheduledChange } from './create-scheduled-change.ts'
import { findScheduledChanges, getScheduledChange } from './queries.ts'
import { toScheduledChange } from './scheduled-change.ts'
import { updateScheduledChange } from './update-scheduled-change.ts'

export const scheduledChangeRoutes: Handlers<Calls['scheduled-changes'], Services> = {
  listScheduledChanges: ({ db }, { project, query }) => {
    const { limit: _limit, cursor: _cursor, ...filter } = query
    return readNewestFirst(query, {
      find: async (before, count) => {
        const of = { projectId: project.row.id, filter }
        const found = await findScheduledChanges(db, of, { before, count })
        return found.map((placed) => ({ id: placed.scheduled.id, placed }))
      },
      toItem: ({ placed }) => toScheduledChange(placed),
    })
  },
  createScheduledChange: async ({ db }, { project, params, origin, caller, body }) => {
    const outcome = await createScheduledChange(db, origin, {
      place: { ...params, project: project.row, grant: project.grant },
      authorship: authorshipOf(caller),
      proposer: caller.user,
      draft: { ...body, change: patchOfGiven(body.change) },
    })
    if ('scheduled' in outcome) return outcome.scheduled
    return new Accepted(outcome.opened.address, outcome.opened)
  },
  getScheduledChange: async ({ db }, { project, params }) =>
    toScheduledChange(await getScheduledChange(db, project.row.id, params.scheduledChange)),
  updateScheduledChange: ({ db }, { project, params, origin, caller, body, ifMatch }) =>
    updateScheduledChange(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.scheduledChange,
      authorship: authorshipOf(caller),
      draft: withPatch(body),
      ifMatch,
    }),
  cancelScheduledChange: ({ db }, { project, params, origin }) =>
    cancelScheduledChange(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.scheduledChange,
    }),
}

/** Absent fields stay absent. */
function withPatch<Body extends { change?: Partial<GivenConfig> }>({ change, ...rest }: Body) {
  return { ...rest, ...(change === undefined ? {} : { change: patchOfGiven(change) }) }
}
