// Nodes that were added together come as trees; the replayer takes them one by one, each with its parent.

import { isObject, type Json, listOf } from './read-json.ts'

/** As deep as a page is built. */
const deepest = 600
const document = 0

export function* unfoldAdded(added: Json, depth = 0): Generator<Json> {
  const { node } = added
  if (!isObject(node) || node.type === document || depth > deepest) return yield added
  const { childNodes, ...own } = node
  yield { ...added, node: { ...own, childNodes: [] } }
  for (const child of listOf(childNodes))
    yield* unfoldAdded({ parentId: node.id, nextId: null, node: child }, depth + 1)
}
