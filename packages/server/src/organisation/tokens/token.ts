import type { ApiToken } from '@telltale/core/contract/tokens'
import type { Static } from 'typebox'
import type { TokenWithOwner } from '../../access/find-token.ts'

/** A token as the API returns it, without its value. */
export function toToken({ token, user, project }: TokenWithOwner): Static<typeof ApiToken> {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    owner: { id: user.id, email: user.email, name: user.name },
    project,
    role: token.role,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
  }
}
