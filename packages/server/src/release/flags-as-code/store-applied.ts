// Stores what an application has found in its folder: the origin of each entry, and what it said.

import { type CodeKind, codeKinds } from '@telltale/core/code-kinds'
import type { CodeSource } from '@telltale/core/contract/flags-as-code'
import { pointerTo } from '@telltale/core/flags-as-code/check-code'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { codeEntries, codeSources } from '../../platform/engines/postgres/code-source-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { CodePlan } from './plan-code.ts'

interface Application {
  projectId: string
  source: CodeSource
  files: Readonly<Record<string, string>>
  plan: CodePlan
}

/** Rows of one statement. */
const atOnce = 1_000

export async function storeApplied(
  { db, now, actor }: ChangeContext,
  { projectId, source, files, plan }: Application,
): Promise<void> {
  const { link = null, ...place } = source
  const row = { ...place, link, appliedAt: now, appliedBy: actor.name }
  const [stored] = await db
    .insert(codeSources)
    .values({ id: newId(), projectId, ...row })
    .onConflictDoUpdate({
      target: [codeSources.projectId, codeSources.repository, codeSources.path],
      set: row,
    })
    .returning({ id: codeSources.id })
  if (stored === undefined) throw new Error('The source was not stored.')

  const rows = codeKinds.flatMap((kind) =>
    [...plan.target[kind]].map(([key, content]) => ({
      projectId,
      kind,
      key,
      sourceId: stored.id,
      file: files[pointerTo(kind, key)] ?? '',
      content,
      inFolder: true,
    })),
  )
  for (let at = 0; at < rows.length; at += atOnce) {
    await db
      .insert(codeEntries)
      .values(rows.slice(at, at + atOnce))
      .onConflictDoUpdate({
        target: [codeEntries.projectId, codeEntries.kind, codeEntries.key],
        set: {
          sourceId: sql`excluded.source_id`,
          file: sql`excluded.file`,
          content: sql`excluded.content`,
          inFolder: sql`excluded.in_folder`,
        },
      })
  }
  await noteGone(db, projectId, plan)
}

async function noteGone(db: Queryable, projectId: string, { changes }: CodePlan): Promise<void> {
  for (const kind of codeKinds) {
    const keysOf = (action: 'remove' | 'forget') =>
      changes.filter((one) => one.kind === kind && one.action === action).map(({ key }) => key)
    const these = (keys: readonly string[]) => entriesOf(projectId, kind, keys)
    const [removed, forgotten] = [keysOf('remove'), keysOf('forget')]
    if (removed.length > 0) await db.delete(codeEntries).where(these(removed))
    if (forgotten.length > 0) await db.update(codeEntries).set({ inFolder: false }).where(these(forgotten))
  }
}

const entriesOf = (projectId: string, kind: CodeKind, keys: readonly string[]) =>
  and(eq(codeEntries.projectId, projectId), eq(codeEntries.kind, kind), inArray(codeEntries.key, [...keys]))
