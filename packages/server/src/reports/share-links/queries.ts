import { problem } from '@telltale/core/errors'
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import { shareLinks } from '../../platform/engines/postgres/share-link-schema.ts'

export type ShareLinkRow = typeof shareLinks.$inferSelect

/** A link with the key of its environment. */
export interface LinkOf {
  link: ShareLinkRow
  env: string
}

interface LinksOf {
  projectId: string
  target: string | undefined
  before: string | undefined
  count: number
}

/** Newest first. */
export async function findShareLinks(
  db: Queryable,
  { projectId, target, before, count }: LinksOf,
): Promise<LinkOf[]> {
  return db
    .select({ link: shareLinks, env: environments.key })
    .from(shareLinks)
    .innerJoin(environments, eq(environments.id, shareLinks.environmentId))
    .where(
      and(
        eq(shareLinks.projectId, projectId),
        target === undefined ? undefined : eq(shareLinks.target, target),
        before === undefined ? undefined : lt(shareLinks.id, before),
      ),
    )
    .orderBy(desc(shareLinks.id))
    .limit(count)
}

export async function countActiveLinks(db: Queryable, projectId: string, now: Date): Promise<number> {
  const isActive = and(isNull(shareLinks.revokedAt), gt(shareLinks.expiresAt, now))
  return db.$count(shareLinks, and(eq(shareLinks.projectId, projectId), isActive))
}

/** Locked until the transaction ends. Throws `not-found`. */
export async function lockShareLink(
  db: Queryable,
  { projectId, id }: { projectId: string; id: string },
): Promise<LinkOf> {
  const [found] = await db
    .select({ link: shareLinks, env: environments.key })
    .from(shareLinks)
    .innerJoin(environments, eq(environments.id, shareLinks.environmentId))
    .where(and(eq(shareLinks.projectId, projectId), eq(shareLinks.id, id)))
    .for('update', { of: shareLinks })
  if (found === undefined) throw problem('not-found', 'There is no such share link in the project.')
  return found
}

/** The link of a token, with everything that is needed to read what it shows. */
export async function findLinkByToken(db: Queryable, tokenHash: string) {
  const [found] = await db
    .select({ link: shareLinks, environment: environments, project: projects })
    .from(shareLinks)
    .innerJoin(environments, eq(environments.id, shareLinks.environmentId))
    .innerJoin(projects, eq(projects.id, shareLinks.projectId))
    .where(eq(shareLinks.tokenHash, tokenHash))
  return found
}

/** Not audited: it changes nothing but a count. */
export async function countOpening(db: Queryable, id: string, now: Date): Promise<void> {
  await db
    .update(shareLinks)
    .set({ opened: sql`${shareLinks.opened} + 1`, lastOpenedAt: now })
    .where(eq(shareLinks.id, id))
}
