// The kinds of entries that higher modules own. The process provides them.

import type {
  CodeAlert,
  CodeDashboard,
  CodeMetric,
  CodeRolloutTemplate,
} from '@telltale/core/contract/code-document'
import type { Grant } from '@telltale/core/rights'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

interface Place {
  project: { id: string; key: string }
  key: string
}

interface EntryWrite<Entry> extends Place {
  author: { id: string; name: string }
  grant: Grant
  /** Undefined: it is removed. */
  after: Entry | undefined
}

/** Of a document, to what others refer. */
export interface MadeEntries {
  metrics: ReadonlyMap<string, CodeMetric>
  alerts: ReadonlyMap<string, CodeAlert>
}

export interface EntryKind<Entry> {
  /** Everything of a project, complete, and what code cannot express. */
  read(db: Queryable, projectId: string): Promise<{ entries: Map<string, Entry>; leftOut: string[] }>
  /** With every default, in stored form. Throws `invalid-request`. */
  complete(entry: Entry): Entry
  /** Without what is the default anyway. */
  compact(entry: Entry): Entry
  /** Throws `invalid-request` for references to what is not there. `made`: what the application makes. */
  check(db: Queryable, place: Place & { entry: Entry; made: MadeEntries }): Promise<void>
  write(context: ChangeContext, write: EntryWrite<Entry>): Promise<EntityChange[]>
}

export interface EntryKinds {
  metrics: EntryKind<CodeMetric>
  rolloutTemplates: EntryKind<CodeRolloutTemplate>
  alerts: EntryKind<CodeAlert>
  dashboards: EntryKind<CodeDashboard>
}

export const otherKinds = ['metrics', 'rolloutTemplates', 'alerts', 'dashboards'] as const
