import type { ReplyOf } from '@telltale/core/contract/call'
import type { listCodeReferences as listCall } from '@telltale/core/contract/code-references'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, sql } from 'drizzle-orm'
import {
  codeFlags,
  codeReferences,
  codeUploads,
} from '../../platform/engines/postgres/code-reference-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type PageQuery, readPage } from '../../platform/http/page.ts'
import { addressAtHost } from './address-at-host.ts'

type Reply = ReplyOf<typeof listCall>

interface FlagRef {
  projectId: string
  flagKey: string
}

export async function listCodeReferences(db: Queryable, ref: FlagRef, query: PageQuery): Promise<Reply> {
  const page = await readPage(query, {
    find: (after, count) => findReferences(db, ref, { after: Number(after ?? 0), count }),
    keyOf: ({ place }) => String(place),
    toItem: ({ place: _place, link, commit, ...rest }) => ({
      ...rest,
      url: addressAtHost(link, { ...rest, commit }),
    }),
  })
  return { ...page, uploads: await findUploads(db, ref) }
}

/** By default branch, repository, branch, file and line; `place` is the number in that order. */
async function findReferences(
  db: Queryable,
  { projectId, flagKey }: FlagRef,
  { after, count }: { after: number; count: number },
) {
  const { file, line, kind, context } = codeReferences
  const { repository, branch, isDefault, commit, link } = codeUploads
  const rows = await db
    .select({ file, line, kind, context, repository, branch, isDefault, commit, link })
    .from(codeReferences)
    .innerJoin(codeUploads, eq(codeUploads.id, codeReferences.uploadId))
    .where(and(eq(codeUploads.projectId, projectId), eq(codeReferences.flagKey, flagKey)))
    .orderBy(desc(isDefault), repository, branch, file, line, codeReferences.id)
    .offset(Number.isSafeInteger(after) ? after : 0)
    .limit(count)
  return rows.map((row, index) => ({ ...row, place: after + index + 1 }))
}

async function findUploads(db: Queryable, { projectId, flagKey }: FlagRef): Promise<Reply['uploads']> {
  const { repository, branch, isDefault, commit, files, uploadedAt, uploadedBy } = codeUploads
  const rows = await db
    .select({
      repository,
      branch,
      isDefault,
      commit,
      files,
      uploadedAt,
      uploadedBy,
      goneAt: codeFlags.goneAt,
      references: sql<number>`(
        SELECT count(*)::int FROM code_references r
        WHERE r.upload_id = ${codeUploads.id} AND r.flag_key = ${flagKey}
      )`,
    })
    .from(codeUploads)
    .leftJoin(codeFlags, and(eq(codeFlags.uploadId, codeUploads.id), eq(codeFlags.flagKey, flagKey)))
    .where(eq(codeUploads.projectId, projectId))
    .orderBy(desc(isDefault), repository, branch)
    .limit(limits.codeBranches)
  return rows.map(({ goneAt, ...row }) => ({
    ...row,
    uploadedAt: row.uploadedAt.toISOString(),
    cleanSince: goneAt?.toISOString() ?? null,
  }))
}
