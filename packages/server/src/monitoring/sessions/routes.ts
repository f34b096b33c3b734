import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getSession } from './get-session.ts'
import { getSessionSeries } from './get-session-series.ts'
import { getSimilarSession } from './get-similar-session.ts'
import { listSessionEvents } from './list-session-events.ts'
import { listSessionFacets } from './list-session-facets.ts'
import { listSessionVariations } from './list-session-variations.ts'
import { listSessions } from './list-sessions.ts'

export const sessionRoutes: Handlers<Calls['sessions'], Services & { stackMapper: StackMapper }> = {
  listSessions: async (services, asked) =>
    listSessions(await openQuestion(services, asked), { query: asked.query, now: services.clock() }),
  listSessionFacets: async (services, asked) =>
    listSessionFacets(await openQuestion(services, asked), asked.query),
  getSessionSeries: async (services, asked) =>
    getSessionSeries(await openQuestion(services, asked), asked.query),
  listSessionVariations: async (services, asked) =>
    listSessionVariations(await openQuestion(services, asked), asked.query),
  getSession: async (services, asked) =>
    getSession(await openQuestion(services, asked), { id: asked.params.session, now: services.clock() }),
  listSessionEvents: async (services, asked) =>
    listSessionEvents(services, await openQuestion(services, asked), {
      id: asked.params.session,
      projectId: asked.project.row.id,
      query: asked.query,
    }),
  getSimilarSession: async (services, asked) => {
    const { flag, control } = asked.query
    const question = await openQuestion(services, { ...asked, query: {} })
    return getSimilarSession(question, { id: asked.params.session, flag, control })
  },
}
