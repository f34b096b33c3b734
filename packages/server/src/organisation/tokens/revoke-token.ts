import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { findTokenById } from '../../access/find-token.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { apiTokens } from '../../platform/engines/postgres/schema.ts'

/** Revokes a token of this owner or of this project. Idempotent. */
export const revokeToken = change(
  async ({ db, now }, { id, of }: { id: string; of: { ownerId: string } | { projectId: string } }) => {
    const found = await findTokenById(db, id)
    const isTheirs =
      found && ('ownerId' in of ? found.token.ownerId === of.ownerId : found.token.projectId === of.projectId)
    if (!isTheirs) throw problem('not-found')
    if (found.token.revokedAt) return { reply: null, changes: [] }

    await db.update(apiTokens).set({ revokedAt: now }).where(eq(apiTokens.id, id))
    const { token, project } = found
    return {
      reply: null,
      changes: [
        {
          action: 'token.revoke',
          entity: { kind: 'token', id, name: token.name },
          ...(token.projectId !== null && project !== null
            ? { project: { id: token.projectId, key: project } }
            : {}),
        },
      ],
    }
  },
)
