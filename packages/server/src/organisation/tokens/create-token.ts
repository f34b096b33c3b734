import { type Fault, problem } from '@telltale/core/errors'
import { apiTokenPrefix } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { isAtLeast, type TokenRole } from '@telltale/core/permissions'
import { v7 as newId } from 'uuid'
import { findProject, type ProjectRow } from '../../access/find-project.ts'
import { findRole } from '../../access/find-roles.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import { apiTokens } from '../../platform/engines/postgres/schema.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import { countActiveTokens } from './queries.ts'
import { toToken } from './token.ts'

interface TokenDraft {
  owner: UserRow
  name: string
  project?: string | undefined
  role: TokenRole
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
  refuseGreaterRole(draft, project?.role)
  const expiresAt = checkExpiry(draft.expiresAt, now)
  if ((await countActiveTokens(db, owner.id)) >= limits.tokensPerUser) {
    throw problem('already-exists', `You have ${limits.tokensPerUser} active tokens. Revoke one first.`)
  }
  return { project, expiresAt }
}

async function getVisibleProject(db: ChangeContext['db'], owner: UserRow, key: string) {
  const row = await findProject(db, key)
  const role = row && (await roleIn(db, owner, row))
  if (!row || !role) throw problem('not-found', `There is no project "${key}" that you can see.`)
  return { row, role }
}

async function roleIn(db: ChangeContext['db'], owner: UserRow, project: ProjectRow) {
  if (owner.role === 'owner') return 'admin'
  return findRole(db, project.id, owner.id)
}

function refuseGreaterRole(
  { owner, project, role }: TokenDraft,
  own: 'viewer' | 'editor' | 'maintainer' | 'admin' | undefined,
) {
  const refuse = (detail: string) => problem('forbidden', { detail, permission: role })
  if (role === 'owner') {
    if (owner.role !== 'owner') throw refuse('Only an owner can create a token with the owner role.')
    if (project !== undefined) throw refuse('A token with the owner role is for the whole installation.')
    return
  }
  if (own !== undefined && !isAtLeast(own, role)) throw refuse(`Your role in the project is ${own}.`)
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
