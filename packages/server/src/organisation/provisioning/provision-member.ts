import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import type { MembershipRow } from '../../access/find-membership.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import { insertMember } from '../members/add-member.ts'
import { memberChange } from '../members/member.ts'
import { lockMember } from '../members/queries.ts'
import { storeEnvironmentRoles } from '../members/store-environment-roles.ts'
import { findUserByEmail } from '../users/queries.ts'
import type { MemberDeclaration } from './declarations.ts'
import { provisionEnvironmentRoles } from './provision-environment-roles.ts'
import { attempt, type Provisioning } from './provisioning.ts'

interface ProjectRef {
  id: string
  key: string
}

interface Place {
  project: ProjectRef
  /** Whether this start creates the project. */
  isNew: boolean
  /** The e-mail addresses of owner and users in the file. */
  addresses: ReadonlySet<string>
}

export async function provisionMember(
  run: Provisioning,
  { project, isNew, addresses }: Place,
  { pointer, email, role, environments, manage }: MemberDeclaration,
): Promise<void> {
  const address = email.toLowerCase()
  const identity = `member ${project.key}/${address}`
  const user = await findUserByEmail(run.db, email)
  if (!user) {
    // The account of a member added by an earlier start was deleted, which is not a fault of the file.
    const isPast = run.memory.has(identity) && !manage
    if (!isPast && !addresses.has(address)) run.faults.push({ pointer: `${pointer}/email`, message: unknown })
    return
  }

  const found = await lockMember(run.db, project.id, user.id)
  const isDue = run.memory.isDue(identity, {
    exists: found !== undefined,
    manage,
    isPartOfNew: isNew || run.newUsers.has(user.id),
  })
  const made =
    isDue && (await attempt(run, pointer, () => insertMember(run, project, { user, role, managed: manage })))
  if (made || (manage && found)) {
    await provisionEnvironmentRoles(run, {
      ...{ pointer, before: found?.environments ?? [], wanted: environments },
      store: (wanted) => storeEnvironmentRoles(run, { project, userId: user.id, wanted }),
      entry: memberChange('update', { project, user }),
    })
  }
  if (!manage) return

  run.managed.add(nameOfMembership({ projectId: project.id, userId: user.id }))
  if (!found) return
  const { membership: before } = found
  await storeMembership(run, { project, user }, { before, after: { ...before, role, managed: true } })
}

const unknown = 'has no account and is not declared in this file'

export function nameOfMembership({ projectId, userId }: Pick<MembershipRow, 'projectId' | 'userId'>): string {
  return `${projectId} ${userId}`
}

/** Writes a membership changed by the file, if there is a difference. */
export async function storeMembership(
  { db, changes }: Provisioning,
  { project, user }: { project: ProjectRef; user: UserRow },
  { before, after }: { before: MembershipRow; after: MembershipRow },
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return

  const { role, managed } = after
  await db
    .update(memberships)
    .set({ role, managed })
    .where(and(eq(memberships.projectId, project.id), eq(memberships.userId, user.id)))
  changes.push({
    ...memberChange('update', { project, user }),
    before: { role: before.role, managed: before.managed },
    after: { role, managed },
  })
}
