import type { CodeKind } from '@telltale/core/code-kinds'
import type {
  CodeAlert,
  CodeDashboard,
  CodeMetric,
  CodeRolloutTemplate,
} from '@telltale/core/contract/code-document'
import type { FlagContent, SegmentContent } from '@telltale/core/flags-as-code/content'
import { and, eq } from 'drizzle-orm'
import { codeEntries } from '../../platform/engines/postgres/code-source-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Target } from './read-target.ts'

interface Contents {
  flags: FlagContent
  segments: SegmentContent
  metrics: CodeMetric
  rolloutTemplates: CodeRolloutTemplate
  alerts: CodeAlert
  dashboards: CodeDashboard
}

/** What the folders of a project say, as of their last applications. */
export async function storedTarget(db: Queryable, projectId: string): Promise<Target> {
  return {
    flags: await read(db, projectId, 'flags'),
    segments: await read(db, projectId, 'segments'),
    metrics: await read(db, projectId, 'metrics'),
    rolloutTemplates: await read(db, projectId, 'rolloutTemplates'),
    alerts: await read(db, projectId, 'alerts'),
    dashboards: await read(db, projectId, 'dashboards'),
  }
}

/** The target that one entry alone describes. */
export function targetOf(kind: CodeKind, key: string, content: object): Target {
  const none = {
    ...{ flags: new Map(), segments: new Map(), metrics: new Map() },
    ...{ rolloutTemplates: new Map(), alerts: new Map(), dashboards: new Map() },
  }
  return { ...none, [kind]: new Map([[key, content]]) }
}

async function read<Kind extends CodeKind>(db: Queryable, projectId: string, kind: Kind) {
  const rows = await db
    .select({ key: codeEntries.key, content: codeEntries.content })
    .from(codeEntries)
    .where(
      and(eq(codeEntries.projectId, projectId), eq(codeEntries.kind, kind), eq(codeEntries.inFolder, true)),
    )
  // Only `storeApplied` writes contents, and by their kind.
  return new Map(rows.map(({ key, content }) => [key, content as Contents[Kind]]))
}
