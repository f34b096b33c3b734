import type { Calls } from '@telltale/core/contract/calls'
import { and, eq } from 'drizzle-orm'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flags, splits } from '../../platform/engines/postgres/schema.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { readMark } from '../explore/mark.ts'
import { openQuestion, periodOf } from '../explore/open-question.ts'
import { getDifference } from './get-difference.ts'
import { getFlameGraph } from './get-flame-graph.ts'
import { getProfile, toSummary } from './get-profile.ts'
import { getProfiledCode } from './get-profiled-code.ts'
import { listPages } from './list-pages.ts'
import { findProfiles } from './queries.ts'

export const profileRoutes: Handlers<Calls['profiles'], Services & { stackMapper: StackMapper }> = {
  listProfilePages: async (services, requested) => {
    const question = await openQuestion(services, requested)
    return {
      ...periodOf(question),
      pages: await listPages(question, services.stackMapper, requested.project.row.id),
    }
  },
  getFlameGraph: async (services, requested) => {
    const question = await openQuestion(services, requested)
    const { page } = requested.query
    return getFlameGraph(question, services.stackMapper, { page, projectId: requested.project.row.id })
  },
  getProfileDifference: async (services, requested) => {
    const question = await openQuestion(services, requested)
    const { page, flag, control, treatment } = requested.query
    const projectId = requested.project.row.id
    const found = await findSplits(services.db, { projectId, environmentId: question.environmentId, flag })
    return getDifference(question, services.stackMapper, {
      page,
      projectId,
      flag,
      control,
      treatment,
      splits: found,
    })
  },
  listProfiles: async (services, requested) => {
    const question = await openQuestion(services, requested)
    const { page, session, view } = requested.query
    return readPage(requested.query, {
      find: (after, count) => {
        const mark = after === undefined ? undefined : readMark(after, 1)
        const before = mark && { at: mark.sorted, id: mark.texts[0] ?? '' }
        return findProfiles(question, { page, session, view }, { before, count })
      },
      keyOf: ({ at, id }) => JSON.stringify([Number(at), id]),
      toItem: toSummary,
    })
  },
  getProfile: async (services, requested) => {
    const question = await openQuestion(services, { ...requested, query: {} })
    return getProfile(question, services.stackMapper, {
      id: requested.params.profile,
      projectId: requested.project.row.id,
    })
  },
  getProfiledCode: async (services, { project, query }) => {
    const { file, line, column, version = '' } = query
    return getProfiledCode(services.stackMapper, project.row.id, { file, line, column, version })
  },
}

interface FlagOfEnvironment {
  projectId: string
  environmentId: string
  flag: string
}

/** All splits that ever assigned variations of a flag. */
async function findSplits(
  db: Queryable,
  { projectId, environmentId, flag }: FlagOfEnvironment,
): Promise<string[]> {
  const rows = await db
    .select({ id: splits.id })
    .from(splits)
    .innerJoin(flags, eq(flags.id, splits.flagId))
    .where(and(eq(flags.projectId, projectId), eq(flags.key, flag), eq(splits.environmentId, environmentId)))
  return rows.map(({ id }) => String(id))
}
