import { changeGroup, printGroup, readGroup } from '@telltale/core/scim/group'
import { readPatch } from '@telltale/core/scim/patch'
import type { TeamRow } from '../../platform/engines/postgres/team-schema.ts'
import { createGroup, deleteGroup, getGroup, updateGroup } from './change-group.ts'
import { describeGroups, findGroups } from './group-queries.ts'
import { isAskedFor, printList, project, readListQuery, readProjection } from './read-list.ts'
import type { ScimAnswer, ScimHandlers, ScimRequest } from './scim-handler.ts'

export const groupHandlers: ScimHandlers = {
  list: async (requested) => {
    const query = readListQuery(requested.query)
    const { rows, total } = await findGroups(requested.services.db, query)
    return { body: printList(await show(requested, rows), { total, startIndex: query.startIndex }) }
  },
  read: async (requested) => answer(requested, await getGroup(requested.services.db, requested.id)),
  create: async (requested) => {
    const { services, origin, body } = requested
    const created = await createGroup(services.db, origin, { wanted: readGroup(body) })
    const { status = 201, ...rest } = await answer(requested, created)
    return { status, ...rest, location: `${requested.base}/Groups/${created.id}` }
  },
  replace: async (requested) => {
    const { services, origin, id, body } = requested
    return answer(requested, await updateGroup(services.db, origin, { id, wanted: readGroup(body) }))
  },
  patch: async ({ services, origin, id, body }) => {
    await updateGroup(services.db, origin, { id, wanted: changeGroup(readPatch(body)) })
    // Not the group: it may have thousands of members.
    return {}
  },
  delete: async ({ services, origin, id }) => {
    await deleteGroup(services.db, origin, { id })
    return {}
  },
}

async function answer(requested: ScimRequest, team: TeamRow): Promise<ScimAnswer> {
  const [body] = await show(requested, [team])
  return body === undefined ? {} : { body }
}

async function show({ services, base, query }: ScimRequest, rows: readonly TeamRow[]): Promise<object[]> {
  const projection = readProjection(query)
  const withMembers = isAskedFor(projection, 'members')
  const groups = await describeGroups(services.db, rows, { withMembers })
  return groups.map((group) => project(printGroup(group, base), projection))
}
