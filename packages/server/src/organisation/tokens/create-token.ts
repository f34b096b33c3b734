import { type Fault, problem } from '@telltale/core/errors'
import { apiTokenPrefix } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { isBuiltInRole } from '@telltale/core/permissions'
import { excessOf, type Grant, rightsOf } from '@telltale/core/rights'
import { v7 as newId } from 'uuid'
import { findAccess } from '../../access/access.ts'
import { findProject } from '../../access/find-project.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { apiTokens } from '../../platform/engines/postgres/schema.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import { takeRole } from '../roles/queries.ts'
import { countActiveTokens } from './queries.ts'
import { toToken } from './token.ts'

interface TokenDraft {
  owner: UserRow
  name: string
  project?: string | undefined
  /** Own roles only for tokens of one project. */
  role: string
  expiresAt?: string | undefined
}

const shownPrefixLength = apiTokenPrefix.length + 6

/** Creates a token and returns its value, only once. A token may not have more rights than its owner. */
export const createToken = change(async ({ db, now }, draft: TokenDraft) => {
  const { owner } = draft
  const { project, expiresAt } = await checkTokenDraft({ db, now }, draft)
  const value = newSecret(apiTokenPrefix)
  const [token] = await db
    .insert(apiTokens)
    .values({
      id: newId(),
      name: draft.name,
      prefix: value.slice(0, shownPrefixLength),
      hash: hashSecret(value),
      ownerId: owner.id,
      projectId: project?.row.id ?? null,
      role: draft.role,
      createdAt: now,
      expiresAt,
    })
    .returning()
  if (!token) throw problem('internal')

  return {
    reply: { token: toToken({ token, user: owner, project: project?.row.key ?? null }), value },
    changes: [
      {
        action: 'token.create',
        entity: { kind: 'token', id: token.id, name: token.name },
        ...(project ? { project: project.row } : {}),
        after: {
          name: token.name,
          role: token.role,
          project: project?.row.key ?? null,
          expiresAt: draft.expiresAt ?? null,
        },
      },
    ],
  }
})

/** Throws what forbids this token to its owner. */
export async function checkTokenDraft({ db, now }: Pick<ChangeContext, 'db' | 'now'>, draft: TokenDraft) {
  const { owner } = draft
  const project = draft.project === undefined ? undefined : await getVisibleProject(db, owner, draft.project)
  await refuseGreaterRole(db, draft, project)
  const expiresAt = checkExpiry(draft.expiresAt, now)
  if ((await countActiveTokens(db, owner.id)) >= limits.tokensPerUser) {
    throw problem('already-exists', `You have ${limits.tokensPerUser} active tokens. Revoke one first.`)
  }
  return { project, expiresAt }
}

async function getVisibleProject(db: Queryable, owner: UserRow, key: string) {
  const row = await findProject(db, key)
  const access = row && (await findAccess(db, { kind: 'person', user: owner }, row))
  if (!row || !access) throw problem('not-found', `There is no project "${key}" that you can see.`)
  return { row, ...access }
}

async function refuseGreaterRole(
  db: Queryable,
  { owner, role }: TokenDraft,
  project: { row: { id: string }; role: string; grant: Grant } | undefined,
): Promise<void> {
  const refuse = (detail: string) => problem('forbidden', { detail, permission: role })
  if (role === 'owner') {
    if (owner.role !== 'owner') throw refuse('Only an owner can create a token with the owner role.')
    if (project !== undefined) throw refuse('A token with the owner role is for the whole installation.')
    return
  }
  if (project === undefined) {
    if (!isBuiltInRole(role)) throw refuse('Own roles are for tokens of one project.')
    return
  }
  const permissions = await takeRole(db, { projectId: project.row.id, key: role }, '/role')
  // In single environments the owner may have less: the token is limited there when it is used.
  const everywhere = { ...project.grant, environments: new Map() }
  const [excess] = excessOf(everywhere, { before: undefined, after: rightsOf(permissions) })
  if (excess !== undefined)
    throw refuse(`Your role in the project is ${project.role}, which does not have ${excess.permission}.`)
}

function checkExpiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const at = readInstant(text, '/expiresAt')
  const fault = (message: string): Fault => ({ pointer: '/expiresAt', message })
  if (at <= now) throw problem('invalid-request', { errors: [fault('must be in the future')] })
  if (at.getTime() - now.getTime() > limits.tokenLifetimeMaximum) {
    throw problem('invalid-request', { errors: [fault('must be within two years')] })
  }
  return at
}
