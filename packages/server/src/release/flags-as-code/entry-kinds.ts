// The kinds of entries that higher modules own. The process provides them.

import type { CodeAlert, CodeDashboard, CodeMetric } from '@telltale/core/contract/code-document'
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

export interface EntryKind<Entry> {
  /** Everything of a project, complete, and what code cannot express. */
  read(db: Queryable, projectId: string): Promise<{ entries: Map<string, Entry>; leftOut: string[] }>
  /** With every default, in stored form. Throws `invalid-request`. */
  complete(entry: Entry): Entry
  /** Without what is the default anyway. */
  compact(entry: Entry): Entry
  /** Throws `invalid-request` for references to what is not there. `names`: what the application will make. */
  check(db: Queryable, place: Place & { entry: Entry; made: ReadonlySet<string> }): Promise<void>
  write(context: ChangeContext, write: EntryWrite<Entry>): Promise<EntityChange[]>
}

export interface EntryKinds {
  metrics: EntryKind<CodeMetric>
  alerts: EntryKind<CodeAlert>
  dashboards: EntryKind<CodeDashboard>
}

export const otherKinds = ['metrics', 'alerts', 'dashboards'] as const
