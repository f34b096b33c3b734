import { type Fault, problem } from '@telltale/core/errors'
import { type Grant, permissionsOf, rightsOf } from '@telltale/core/rights'
import { eq, sql } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { projectRoles } from '../../platform/engines/postgres/role-schema.ts'
import { signInProviders } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { countUses, lockOwnRole, moveUses, type RoleUses, sumOf, takeRole } from './queries.ts'
import { refuseExcess } from './refuse-excess.ts'
import { roleChange } from './role.ts'

interface RoleDeletion {
  project: { id: string; key: string }
  key: string
  author: Grant
  /** The role for everyone who has the deleted one. */
  moveTo: string | undefined
}

/**
 * Throws `in-use` while the role is given and no other one is named, and while groups of a sign-in provider give it:
 * only owners change those.
 */
export const deleteRole = change(async ({ db }, { project, key, author, moveTo }: RoleDeletion) => {
  const before = await lockOwnRole(db, project.id, key)
  await refuseGranted(db, { project, key })
  const uses = await countUses(db, project.id, key)
  const isUsed = sumOf(uses) > 0
  if (isUsed && moveTo === undefined) throw problem('in-use', `The role is given to ${print(uses)}.`)
  if (moveTo !== undefined) {
    if (moveTo === key) throw faultOf('must be another role')
    const permissions = await takeRole(db, { projectId: project.id, key: moveTo }, '?moveTo')
    const held = rightsOf(permissionsOf(key, [before]))
    if (isUsed) refuseExcess(author, { before: held, after: rightsOf(permissions) })
    await moveUses(db, project.id, { from: key, to: moveTo })
  }
  await db.delete(projectRoles).where(eq(projectRoles.id, before.id))
  const reason = isUsed ? `${print(uses)} moved to ${moveTo}` : undefined
  return {
    reply: null,
    changes: roleChange('delete', { project, before, ...(reason !== undefined && { reason }) }),
  }
})

async function refuseGranted(
  db: Queryable,
  { project, key }: Pick<RoleDeletion, 'project' | 'key'>,
): Promise<void> {
  const grant = JSON.stringify([{ project: project.key, role: key }])
  const [found] = await db
    .select({ key: signInProviders.key })
    .from(signInProviders)
    .where(sql`${signInProviders.grants} @> ${grant}::jsonb`)
    .limit(1)
  if (found === undefined) return
  throw problem('in-use', `Groups of the sign-in provider "${found.key}" give this role: change them first.`)
}

function faultOf(message: string) {
  const fault: Fault = { pointer: '?moveTo', message }
  return problem('invalid-request', { errors: [fault] })
}

/** `2 members and 1 token`. */
function print({ members, teams, invitations, tokens }: RoleUses): string {
  const parts = [
    { count: members, word: 'member' },
    { count: teams, word: 'team' },
    { count: invitations, word: 'invitation' },
    { count: tokens, word: 'token' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}${count === 1 ? '' : 's'}`)
  return parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
