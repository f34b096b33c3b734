import type { CodeSource } from '@telltale/core/contract/flags-as-code'
import type { AppliedEntry } from '@telltale/core/flags-as-code/compare-code'
import { and, eq } from 'drizzle-orm'
import { codeEntries, codeSources } from '../../platform/engines/postgres/code-source-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

/** The entries that a folder applied before. */
export async function findApplied(
  db: Queryable,
  projectId: string,
  { repository, path }: Pick<CodeSource, 'repository' | 'path'>,
): Promise<AppliedEntry[]> {
  return db
    .select({ kind: codeEntries.kind, key: codeEntries.key, isInFolder: codeEntries.inFolder })
    .from(codeEntries)
    .innerJoin(codeSources, eq(codeSources.id, codeEntries.sourceId))
    .where(
      and(
        eq(codeSources.projectId, projectId),
        eq(codeSources.repository, repository),
        eq(codeSources.path, path),
      ),
    )
    .orderBy(codeEntries.kind, codeEntries.key)
}
