// The author of a scheduled change: an account, or one of its tokens. Permissions are checked again when the
// change is due.

import { type Problem, problem } from '@telltale/core/errors'
import type { ProjectPermission } from '@telltale/core/permissions'
import { may } from '@telltale/core/rights'
import { type Grantee, grantIn } from '../../access/access.ts'
import { actorOf, type KnownCaller } from '../../access/caller.ts'
import { findTokenById } from '../../access/find-token.ts'
import { findUser } from '../../organisation/users/queries.ts'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export interface Authorship {
  author: AuditActor
  authorId: string | null
  tokenId: string | null
}

export function authorshipOf(caller: KnownCaller): Authorship {
  return {
    author: actorOf(caller),
    authorId: caller.user.id,
    tokenId: caller.kind === 'token' ? caller.token.id : null,
  }
}

/** A member without a token, by the id of the account. */
export function authorshipOfMember(id: string | null, name: string): Authorship {
  return { author: { kind: 'user', id, name }, authorId: id, tokenId: null }
}

interface MemberRight {
  project: { id: string }
  environment: { key: string }
  permission: ProjectPermission
}

interface Right extends MemberRight {
  now: Date
}

/** Throws `forbidden` with the reason if the author no longer has the permission. */
export async function refuseLapsed(db: Queryable, author: Authorship, right: Right): Promise<void> {
  const lapse = await findLapse(db, author, right)
  if (lapse !== undefined) throw lapse
}

/** Why a member no longer has the permission; undefined while they do. */
export async function findMemberLapse(
  db: Queryable,
  member: { id: string | null; name: string },
  right: MemberRight,
): Promise<Problem | undefined> {
  const user = await findAuthor(db, { authorId: member.id, name: member.name })
  return 'lapse' in user ? user.lapse : findRefusal(db, { ...user, name: member.name, right })
}

async function findLapse(db: Queryable, author: Authorship, right: Right): Promise<Problem | undefined> {
  const { kind, name } = author.author
  if (kind !== 'token') return findMemberLapse(db, { id: author.authorId, name }, right)
  const found = await findAuthor(db, { authorId: author.authorId, name })
  if ('lapse' in found) return found.lapse
  const token = await findValidToken(db, author, right.now)
  if (token === undefined) return problem('forbidden', `The token ${name} was revoked or has expired.`)
  return findRefusal(db, { grantee: { kind, user: found.grantee.user, token }, name, right })
}

async function findAuthor(
  db: Queryable,
  { authorId, name }: { authorId: string | null; name: string },
): Promise<{ grantee: Grantee } | { lapse: Problem }> {
  const user = authorId === null ? undefined : await findUser(db, authorId)
  if (!user) return { lapse: problem('forbidden', `The account of ${name} no longer exists.`) }
  if (user.disabledAt !== null) return { lapse: problem('forbidden', `The account of ${name} is disabled.`) }
  return { grantee: { kind: 'person', user } }
}

async function findRefusal(
  db: Queryable,
  { grantee, name, right }: { grantee: Grantee; name: string; right: MemberRight },
): Promise<Problem | undefined> {
  const { project, environment, permission } = right
  if (may(await grantIn(db, grantee, project), permission, environment.key)) return undefined
  const detail = `${name} does not have ${permission} in the environment "${environment.key}".`
  return problem('forbidden', { detail, permission })
}

async function findValidToken(db: Queryable, { tokenId }: Authorship, now: Date) {
  const found = tokenId === null ? undefined : await findTokenById(db, tokenId)
  const isExpired = found?.token.expiresAt && found.token.expiresAt <= now
  return found && !found.token.revokedAt && !isExpired ? found.token : undefined
}
