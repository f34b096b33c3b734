import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getSessionSeries } from './get-session-series.ts'
import { getSimilarSession } from './get-similar-session.ts'
import { listSessionEvents } from './list-session-events.ts'
import { listSessionFacets } from './list-session-facets.ts'
import { listSessionVariations } from './list-session-variations.ts'
import { listSessions } from './list-sessions.ts'
import { showSession } from './show-session.ts'

export const sessionRoutes: Handlers<Calls['sessions'], Services & { stackMapper: StackMapper }> = {
  listSessions: async (services, requested) =>
    listSessions(await openQuestion(services, requested), { query: requested.query, now: services.clock() }),
  listSessionFacets: async (services, requested) =>
    listSessionFacets(await openQuestion(services, requested), requested.query),
  getSessionSeries: async (services, requested) =>
    getSessionSeries(await openQuestion(services, requested), requested.query),
  listSessionVariations: async (services, requested) =>
    listSessionVariations(await openQuestion(services, requested), requested.query),
  getSession: async (services, requested) =>
    showSession(services, await openQuestion(services, requested), requested.params.session),
  listSessionEvents: async (services, requested) =>
    listSessionEvents(services, await openQuestion(services, requested), {
      id: requested.params.session,
      projectId: requested.project.row.id,
      query: requested.query,
    }),
  getSimilarSession: async (services, requested) => {
    const { flag, control } = requested.query
    const question = await openQuestion(services, { ...requested, query: {} })
    return getSimilarSession(question, { id: requested.params.session, flag, control })
  },
}
