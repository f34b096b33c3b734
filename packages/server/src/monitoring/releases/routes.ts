import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { compareReleases } from './compare-releases.ts'
import { getAdoption } from './get-adoption.ts'
import { getRelease } from './get-release.ts'
import { listReleases } from './list-releases.ts'

export const releaseRoutes: Handlers<Calls['releases'], Services> = {
  listReleases: async (services, requested) =>
    listReleases(
      { db: services.db, projectId: requested.project.row.id },
      await openQuestion(services, requested),
      requested.query,
    ),
  getAdoption: async (services, requested) =>
    getAdoption(await openQuestion(services, requested), requested.query),
  compareReleases: async (services, requested) =>
    compareReleases(await openQuestion(services, requested), requested.query),
  getRelease: async (services, requested) =>
    getRelease(
      { db: services.db, projectId: requested.project.row.id, now: services.clock() },
      await openQuestion(services, requested),
      requested.query,
    ),
}
