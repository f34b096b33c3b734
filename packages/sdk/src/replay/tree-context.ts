// What the parts of the tree recorder share.

import type { Clock } from './clock.ts'
import type { InnerRoots } from './inner-roots.ts'
import type { Masking } from './masking.ts'
import type { NodeIds } from './node-ids.ts'
import type { PageStates, WriteRecord } from './page-records.ts'
import type { SegmentWriter } from './segment-writer.ts'
import type { TreeChanges } from './tree-changes.ts'
import type { TreeWriter } from './write-tree.ts'

export interface TreeContext {
  readonly masking: Masking
  readonly writer: SegmentWriter
  readonly clock: Clock
  readonly ids: NodeIds
  readonly roots: InnerRoots
  readonly states: PageStates
  readonly changes: TreeChanges
  readonly waiting: Waiting
  readonly tree: TreeWriter
  /** Writes what the tree writer was given, in steps. */
  writeTree(): Generator<void>
}

/** Besides changes of the tree, what is to be written next. */
export interface Waiting {
  /** Hosts of shadow roots that were attached late, and frames that show another document. */
  readonly hosts: Set<Element>
  readonly states: Map<Node, Map<string, WriteRecord>>
  readonly queue: { write: WriteRecord; at: number | undefined }[]
  /** Changes within `target`, or everywhere, are written at most once a second. */
  limit: { readonly target: Element | undefined; writtenAt: number } | undefined
}
