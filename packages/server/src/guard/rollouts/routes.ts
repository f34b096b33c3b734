import type { Calls } from '@telltale/core/contract/calls'
import type { PersonalAction } from '@telltale/core/guard/act'
import type { BaseOfMetric } from '@telltale/core/guard/built-in-metrics'
import type { Handlers, RouteRequest } from '../../access/route.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { resolveConfigRef } from '../../release/flags/config-ref.ts'
import { actOnRollout } from './act-on-rollout.ts'
import { approveRolloutStart } from './approve-start.ts'
import { createRollout } from './create-rollout.ts'
import { deleteRollout } from './delete-rollout.ts'
import { getServed } from './get-served.ts'
import { proposeRollout } from './propose-rollout.ts'
import { findDecisions, findEvidence, findRollouts, getRollout } from './queries.ts'
import { readBases } from './read-bases.ts'
import { readHistory } from './read-history.ts'
import { restoreSlice } from './restore-slice.ts'
import { toDecision, toRollout, toSummaries } from './rollout.ts'
import { toFinding } from './to-finding.ts'
import { updateRollout } from './update-rollout.ts'

type Acts = Calls['rollouts']['advanceRollout' | 'rollBackRollout']

/** Telemetry is read before anything is locked. */
const start = async (services: Services, requested: RouteRequest<Acts>) => {
  const rollout = { projectId: requested.project.row.id, id: requested.params.rollout }
  return actAs('start', services, { ...requested, bases: await readBases(services, rollout) })
}

const acts = (action: PersonalAction) => (services: Services, requested: RouteRequest<Acts>) =>
  actAs(action, services, requested)

type Act = RouteRequest<Acts> & { bases?: ReadonlyMap<string, BaseOfMetric> }

function actAs(action: PersonalAction, { db }: Services, requested: Act) {
  const { project, params, caller, origin, body, bases } = requested
  return actOnRollout(db, origin, {
    project: project.row,
    grant: project.grant,
    id: params.rollout,
    action,
    by: { id: caller.user.id, name: caller.user.name },
    turn: body.turn,
    comment: body.comment,
    bases,
  })
}

export const rolloutRoutes: Handlers<
  Omit<Calls['rollouts'], 'backTestRollout' | 'backTestPlan'>,
  Services
> = {
  listRollouts: async ({ db }, { project, query }) => {
    const { limit: _limit, cursor: _cursor, ...filter } = query
    const page = await readNewestFirst(query, {
      find: async (before, count) => {
        const found = await findRollouts(db, { projectId: project.row.id, filter }, { before, count })
        return found.map((placed) => ({ id: placed.row.id, placed }))
      },
      toItem: ({ placed }) => placed,
    })
    return { ...page, items: await toSummaries(db, page.items) }
  },
  proposeRollout: async (services, { project, params, query }) => {
    const place = await resolveConfigRef(services.db, { ...params, project: project.row })
    return proposeRollout(services, { project: project.row, ...place, query })
  },
  getServedShares: async ({ db }, { project, params }) => {
    const { flag, environment } = await resolveConfigRef(db, { ...params, project: project.row })
    return getServed(db, { flagId: flag.id, environmentId: environment.id })
  },
  createRollout: ({ db }, { project, params, caller, origin, body }) =>
    createRollout(db, origin, {
      place: { ...params, project: project.row, grant: project.grant },
      author: caller.user,
      given: body,
    }),
  getRollout: async ({ db }, { project, params }) =>
    toRollout(db, await getRollout(db, project.row.id, params.rollout)),
  updateRollout: ({ db }, { project, params, caller, origin, body }) =>
    updateRollout(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.rollout,
      author: caller.user,
      given: body,
    }),
  deleteRollout: ({ db }, { project, params, origin }) =>
    deleteRollout(db, origin, { project: project.row, grant: project.grant, id: params.rollout }),
  listRolloutDecisions: async ({ db }, { project, params, query }) => {
    const { row } = await getRollout(db, project.row.id, params.rollout)
    return readNewestFirst(query, {
      find: (before, count) => findDecisions(db, row.id, { before, count }),
      toItem: toDecision,
    })
  },
  getRolloutHistory: async (services, { project, params, origin }) => {
    const { row } = await getRollout(services.db, project.row.id, params.rollout)
    const found = await readHistory(services, row, origin.now)
    return {
      items: found.map(({ at, stage, evidence, units, findings }) => ({
        at: at.toISOString(),
        stage,
        evidence,
        units,
        findings: findings.map(toFinding),
      })),
    }
  },
  getRolloutEvidence: async ({ db }, { project, params }) => {
    const { row } = await getRollout(db, project.row.id, params.rollout)
    const items = await findEvidence(db, row.id)
    return { items: items.map(({ at, found }) => ({ at: at.toISOString(), found })) }
  },
  approveRolloutStart: ({ db }, { project, params, caller, origin, body }) =>
    approveRolloutStart(db, origin, {
      project: project.row,
      id: params.rollout,
      by: { id: caller.user.id, name: caller.user.name },
      ...body,
      comment: body.comment,
    }),
  startRollout: start,
  pauseRollout: acts('pause'),
  resumeRollout: acts('resume'),
  advanceRollout: acts('advance'),
  approveRollout: acts('approve'),
  finishRollout: acts('finish'),
  rollBackRollout: acts('roll-back'),
  cancelRollout: acts('cancel'),
  restartEvidence: acts('begin-anew'),
  restoreSlice: ({ db }, { project, params, caller, origin, body }) =>
    restoreSlice(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.rollout,
      by: { id: caller.user.id, name: caller.user.name },
      ...body,
      comment: body.comment,
    }),
}
