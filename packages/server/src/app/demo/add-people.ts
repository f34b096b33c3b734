import { findMembership } from '../../access/find-membership.ts'
import { insertMember } from '../../organisation/members/add-member.ts'
import { insertUser } from '../../organisation/users/insert-user.ts'
import { findUserByEmail } from '../../organisation/users/queries.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { DemoProject } from './demo.ts'

interface Team {
  project: { id: string; key: string }
  people: DemoProject['people']
}

/** Matches no password, so these accounts exist by name only. */
const noPassword = ''

/** Adds the demo's people as members of its project. Returns their ids by name. */
export const addPeople = change(async (context, { project, people }: Team) => {
  const reply = new Map<string, string>()
  const changes: EntityChange[] = []
  for (const { name, email, role } of people) {
    let user = await findUserByEmail(context.db, email)
    if (user === undefined) {
      const made = await insertUser(context, { name, email, passwordHash: noPassword, role: 'member' })
      user = made.row
      changes.push(...made.changes)
    }
    reply.set(name, user.id)
    if ((await findMembership(context.db, project.id, user.id)) !== undefined) continue
    changes.push(...(await insertMember(context, project, { user, role })).changes)
  }
  return { reply, changes }
})
