import type { CodeDocument } from '@telltale/core/contract/code-document'
import { compactFlag, compactSegment, sortedEntries } from '@telltale/core/flags-as-code/content'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { EntryKinds } from './entry-kinds.ts'
import { readState } from './read-state.ts'

/** What is there, as an application would make it again. Archived flags are left out. */
export async function exportCode(
  db: Queryable,
  projectId: string,
  kinds: EntryKinds,
): Promise<{ document: CodeDocument; leftOut: string[] }> {
  const state = await readState(db, projectId, kinds)
  const active = [...state.flags].filter(([, flag]) => !flag.isArchived)
  return {
    document: {
      ...named('flags', mapped(new Map(active), compactFlag)),
      ...named('segments', mapped(state.segments, compactSegment)),
      ...named('metrics', mapped(state.metrics, kinds.metrics.compact)),
      ...named('rolloutTemplates', mapped(state.rolloutTemplates, kinds.rolloutTemplates.compact)),
      ...named('alerts', mapped(state.alerts, kinds.alerts.compact)),
      ...named('dashboards', mapped(state.dashboards, kinds.dashboards.compact)),
    },
    leftOut: state.leftOut,
  }
}

function mapped<Content, Entry>(entries: ReadonlyMap<string, Content>, compact: (content: Content) => Entry) {
  const sorted = sortedEntries(Object.fromEntries(entries))
  return Object.fromEntries(sorted.map(([key, content]) => [key, compact(content)]))
}

function named<Entries extends object>(name: string, entries: Entries): { [name: string]: Entries } {
  return Object.keys(entries).length === 0 ? {} : { [name]: entries }
}
