import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { listFunnelSessions } from './list-funnel-sessions.ts'
import { measureFunnel } from './measure-funnel.ts'
import { listPathSessions, measurePaths } from './measure-paths.ts'
import { measureRetention } from './measure-retention.ts'

export const funnelRoutes: Handlers<Calls['funnels'], Services> = {
  measureFunnel: async (services, requested) =>
    measureFunnel(await openQuestion(services, requested), requested.query),
  listFunnelSessions: async (services, requested) =>
    listFunnelSessions(await openQuestion(services, requested), {
      query: requested.query,
      now: services.clock(),
    }),
  measureRetention: async (services, requested) =>
    measureRetention(await openQuestion(services, requested), {
      query: requested.query,
      now: services.clock(),
    }),
  measurePaths: async (services, requested) =>
    measurePaths(await openQuestion(services, requested), requested.query),
  listPathSessions: async (services, requested) =>
    listPathSessions(await openQuestion(services, requested), {
      query: requested.query,
      now: services.clock(),
    }),
}
