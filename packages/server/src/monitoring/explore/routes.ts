import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { explore } from './explore.ts'
import { listFacets } from './list-facets.ts'
import { openQuestion } from './open-question.ts'

export const exploreRoutes: Handlers<Calls['explore'], Services> = {
  explore: async (services, requested) => explore(await openQuestion(services, requested), requested.query),
  listFacets: async (services, requested) =>
    listFacets(await openQuestion(services, requested), requested.query),
}
