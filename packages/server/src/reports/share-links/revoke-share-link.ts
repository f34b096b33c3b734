import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { shareLinks } from '../../platform/engines/postgres/share-link-schema.ts'
import { lockShareLink } from './queries.ts'
import { auditedLink, toShareLink } from './share-link.ts'

interface Revocation {
  project: { id: string; key: string }
  id: string
}

/** Idempotent. */
export const revokeShareLink = change(async ({ db, now }, { project, id }: Revocation) => {
  const before = await lockShareLink(db, { projectId: project.id, id })
  if (before.link.revokedAt) return { reply: toShareLink(before, now), changes: [] }

  await db.update(shareLinks).set({ revokedAt: now }).where(eq(shareLinks.id, id))
  const after = { ...before, link: { ...before.link, revokedAt: now } }
  const { kind, target, environmentId } = before.link
  return {
    reply: toShareLink(after, now),
    changes: [
      {
        action: 'share-link.revoke',
        entity: { kind: 'share-link', id, name: `${kind} ${target}` },
        project,
        environment: { id: environmentId, key: before.env },
        before: auditedLink(before, now),
        after: auditedLink(after, now),
      },
    ],
  }
})
