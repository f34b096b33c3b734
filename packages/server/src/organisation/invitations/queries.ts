import { and, asc, desc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { invitations, memberships, projects } from '../../platform/engines/postgres/schema.ts'

export type InvitationRow = typeof invitations.$inferSelect

/** Newest first, before the invitation with this id. */
export async function findInvitations(
  db: Queryable,
  { projectId, before, count }: { projectId: string; before: string | undefined; count: number },
): Promise<InvitationRow[]> {
  return db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.projectId, projectId),
        before === undefined ? undefined : lt(invitations.id, before),
      ),
    )
    .orderBy(desc(invitations.id))
    .limit(count)
}

/** Locks an invitation to this project until the transaction ends. */
export async function lockInvitation(
  db: Queryable,
  { projectId, id }: { projectId: string; id: string },
): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.projectId, projectId), eq(invitations.id, id)))
    .for('update')
  return row
}

/** The invitation of a link, with its project and the name of its sender. */
export async function findInvitationByToken(db: Queryable, tokenHash: string) {
  const [found] = await db
    .select({ invitation: invitations, project: projects, invitedBy: users.name })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.projectId))
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.tokenHash, tokenHash))
  return found
}

interface Addressee {
  projectId: string
  email: string
}

/** Of all projects, in the order in which roles lock them. */
export async function findPendingInvitations(db: Queryable, { email, now }: { email: string; now: Date }) {
  const { id, key } = projects
  return db
    .select({ id: invitations.id, project: { id, key } })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.projectId))
    .where(isPendingFor(email, now))
    .orderBy(asc(key), asc(invitations.id))
}

const isPendingFor = (email: string, now: Date) =>
  and(
    eq(sql`lower(${invitations.email})`, email.toLowerCase()),
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, now),
  )

/** Whether this address has another valid link to the project. */
export async function hasPendingInvitation(
  db: Queryable,
  { projectId, email, now, besides }: Addressee & { now: Date; besides?: string },
): Promise<boolean> {
  const pending = await db.$count(
    invitations,
    and(
      eq(invitations.projectId, projectId),
      isPendingFor(email, now),
      besides === undefined ? undefined : ne(invitations.id, besides),
    ),
  )
  return pending > 0
}

export async function isMember(db: Queryable, { projectId, email }: Addressee): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.projectId, projectId), eq(sql`lower(${users.email})`, email.toLowerCase())))
  return found.length > 0
}
