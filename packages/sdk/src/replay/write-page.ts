// Writes a full snapshot of the page.

import { records } from '@telltale/core/telemetry/replay/codes'
import type { TreeContext } from './tree-context.ts'

/** What waited is part of it. Ids begin again. */
export function* writePage(context: TreeContext): Generator<void> {
  const { writer, clock, ids, changes, waiting, tree, masking, states } = context
  const { stream } = writer
  changes.clear()
  ids.clear()
  waiting.states.clear()
  waiting.hosts.clear()
  writer.begin(clock.now(), true)
  stream.byte(records.page)
  stream.number(innerWidth)
  stream.number(innerHeight)
  tree.root(document, masking.root)
  yield* context.writeTree()
  writer.end()
  states.settled()
}
