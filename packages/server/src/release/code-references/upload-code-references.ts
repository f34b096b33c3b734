import type { BodyOf } from '@telltale/core/contract/call'
import type { uploadCodeReferences as uploadCall } from '@telltale/core/contract/code-references'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import {
  codeFlags,
  codeReferences,
  codeUploads,
} from '../../platform/engines/postgres/code-reference-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

interface Upload {
  project: { id: string; key: string }
  body: BodyOf<typeof uploadCall>
}

/** Rows of one statement. */
const atOnce = 1_000

/** Replaces what an earlier upload of the branch found, and notes which flags it no longer finds. */
export const uploadCodeReferences = change(async ({ db, now, actor }, { project, body }: Upload) => {
  const { references, link = null, ...described } = body
  const { repository, branch } = described
  const row = { ...described, link, uploadedAt: now, uploadedBy: actor.name }
  const [upload] = await db
    .insert(codeUploads)
    .values({ id: newId(), projectId: project.id, ...row })
    .onConflictDoUpdate({
      target: [codeUploads.projectId, codeUploads.repository, codeUploads.branch],
      set: row,
    })
    .returning({ id: codeUploads.id })
  if (upload === undefined) throw new Error('The upload was not stored.')

  await noteGone(db, upload.id, { now, found: new Set(references.map(({ flag }) => flag)) })
  await db.delete(codeReferences).where(eq(codeReferences.uploadId, upload.id))
  for (let at = 0; at < references.length; at += atOnce) {
    const rows = references.slice(at, at + atOnce)
    await db
      .insert(codeReferences)
      .values(rows.map(({ flag, ...rest }) => ({ uploadId: upload.id, flagKey: flag, ...rest })))
  }
  await forgetOldest(db, project.id)
  return {
    reply: null,
    changes: [
      {
        action: 'code-references.upload',
        entity: { kind: 'code-references', id: upload.id, name: `${repository}, ${branch}` },
        project,
        after: { ...described, references: references.length },
      },
    ],
  }
})

/** Branches come and go: the ones that were not searched for the longest time are forgotten. */
async function forgetOldest(db: Queryable, projectId: string): Promise<void> {
  const oldest = db
    .select({ id: codeUploads.id })
    .from(codeUploads)
    .where(eq(codeUploads.projectId, projectId))
    .orderBy(desc(codeUploads.isDefault), desc(codeUploads.uploadedAt))
    .offset(limits.codeBranches)
  await db.delete(codeUploads).where(inArray(codeUploads.id, oldest))
}

/** The time stays as long as the flag is not found again. */
async function noteGone(
  db: Queryable,
  uploadId: string,
  { now, found }: { now: Date; found: ReadonlySet<string> },
): Promise<void> {
  const before = await db
    .selectDistinct({ flag: codeReferences.flagKey })
    .from(codeReferences)
    .where(eq(codeReferences.uploadId, uploadId))
  const gone = before.filter(({ flag }) => !found.has(flag))
  if (gone.length > 0) {
    await db
      .insert(codeFlags)
      .values(gone.map(({ flag }) => ({ uploadId, flagKey: flag, goneAt: now })))
      .onConflictDoNothing()
  }
  for (const flag of found) {
    await db.delete(codeFlags).where(and(eq(codeFlags.uploadId, uploadId), eq(codeFlags.flagKey, flag)))
  }
}
