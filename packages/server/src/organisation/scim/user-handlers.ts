import { readPatch } from '@telltale/core/scim/patch'
import { ScimError } from '@telltale/core/scim/scim-error'
import { changeUser, printUser, readUser } from '@telltale/core/scim/user'
import { validate as isId } from 'uuid'
import { createScimUser, deleteScimUser, updateScimUser } from './change-user.ts'
import { printList, project, readListQuery, readProjection } from './read-list.ts'
import type { ScimAnswer, ScimHandlers, ScimRequest } from './scim-handler.ts'
import { describeUsers, type FoundUser, findScimUser, findScimUsers } from './user-queries.ts'

export const userHandlers: ScimHandlers = {
  list: async (requested) => {
    const { db } = requested.services
    const query = readListQuery(requested.query)
    const { rows, total } = await findScimUsers(db, query)
    return { body: printList(await show(requested, rows), { total, startIndex: query.startIndex }) }
  },
  read: async (requested) => answer(requested, await getUser(requested)),
  create: async (requested) => {
    const { services, origin, body } = requested
    const created = await createScimUser(services.db, origin, { wanted: readUser(body) })
    const { status = 201, ...rest } = await answer(requested, created)
    return { status, ...rest, location: `${requested.base}/Users/${created.user.id}` }
  },
  replace: async (requested) => {
    const { services, origin, id, body } = requested
    const wanted = readUser(body)
    return answer(requested, await updateScimUser(services.db, origin, { id, change: () => wanted }))
  },
  patch: async (requested) => {
    const { services, origin, id, body } = requested
    const changes = readPatch(body)
    const change = (before: Parameters<typeof changeUser>[0]) => changeUser(before, changes)
    return answer(requested, await updateScimUser(services.db, origin, { id, change }))
  },
  delete: async ({ services, origin, id }) => {
    await deleteScimUser(services.db, origin, { id })
    return {}
  },
}

async function getUser({ services, id }: ScimRequest): Promise<FoundUser> {
  const found = isId(id) ? await findScimUser(services.db, id) : undefined
  if (found === undefined) throw new ScimError(404, undefined, 'There is no such user.')
  return found
}

async function answer(requested: ScimRequest, found: FoundUser): Promise<ScimAnswer> {
  const [body] = await show(requested, [found])
  return body === undefined ? {} : { body }
}

async function show({ services, base, query }: ScimRequest, rows: readonly FoundUser[]): Promise<object[]> {
  const projection = readProjection(query)
  return (await describeUsers(services.db, rows)).map((user) => project(printUser(user, base), projection))
}
