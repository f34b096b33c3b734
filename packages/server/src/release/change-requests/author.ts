// The author of a scheduled change: an account, or one of its tokens. Permissions are checked again when the
// change is due.

import { problem } from '@telltale/core/errors'
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

interface Right {
  project: { id: string }
  environment: { key: string }
  permission: ProjectPermission
  now: Date
}

/** Throws `forbidden` with the reason if the author no longer has the permission. */
export async function refuseLapsed(db: Queryable, author: Authorship, right: Right): Promise<void> {
  const { name, kind } = author.author
  const user = author.authorId === null ? undefined : await findUser(db, author.authorId)
  if (!user) throw problem('forbidden', `The account of ${name} no longer exists.`)
  if (user.disabledAt !== null) throw problem('forbidden', `The account of ${name} is disabled.`)

  const grantee: Grantee =
    kind === 'token'
      ? { kind, user, token: await getValidToken(db, author, right.now) }
      : { kind: 'person', user }
  const { project, environment, permission } = right
  if (may(await grantIn(db, grantee, project), permission, environment.key)) return
  const detail = `${name} does not have ${permission} in the environment "${environment.key}".`
  throw problem('forbidden', { detail, permission })
}

async function getValidToken(db: Queryable, { tokenId, author }: Authorship, now: Date) {
  const found = tokenId === null ? undefined : await findTokenById(db, tokenId)
  const isExpired = found?.token.expiresAt && found.token.expiresAt <= now
  if (found && !found.token.revokedAt && !isExpired) return found.token
  throw problem('forbidden', `The token ${author.name} was revoked or has expired.`)
}
