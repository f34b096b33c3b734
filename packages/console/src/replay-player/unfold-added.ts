// Nodes added together are recorded as trees, those removed together as lists; the replayer takes them one by
// one, each with its parent.

import { isObject, type Json, listOf, numberOf } from './read-json.ts'

/** The maximum depth of a built page. */
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

/** A list contains the first id, and the difference of each to the previous one. */
export function* unfoldRemoved(removed: Json): Generator<Json> {
  const { ids, ...own } = removed
  if (!Array.isArray(ids)) return yield removed
  let id = 0
  for (const step of ids) {
    id += numberOf(step) ?? 0
    yield { ...own, id }
  }
}
