// Combines nodes added together into trees, and nodes removed together into lists: the recorder reports each node
// separately, which dominates the data of a changing page. The player expands them.

import { nodeTypes, type PageNode, type Removed } from './page-event.ts'

export interface Added {
  parentId: number
  nextId?: number | null
  node?: PageNode
}

/** A node whose neighbours are not all in the same event remains separate. */
export function foldAdded<Each extends Added>(adds: readonly Each[]): Each[] {
  const byNext = new Map<string, Each>()
  const placeOf = (parent: number, isShadow: unknown, next: number | null) =>
    `${parent} ${!!isShadow} ${next}`
  for (const add of adds) {
    const { parentId, nextId = null, node } = add
    const isPart = node?.type === nodeTypes.element || node?.type === nodeTypes.text
    if (isPart) byNext.set(placeOf(parentId, node.isShadow, nextId), add)
  }
  const folded = new Set<Each>()
  for (const { node } of adds) {
    if (node?.type !== nodeTypes.element || node.childNodes?.length) continue
    node.childNodes = [false, true].flatMap((isShadow) => {
      const children: PageNode[] = []
      let last = byNext.get(placeOf(node.id, isShadow, null))
      while (last?.node) {
        folded.add(last)
        children.push(last.node)
        last = byNext.get(placeOf(node.id, isShadow, last.node.id))
      }
      return children.reverse()
    })
  }
  return adds.filter((add) => !folded.has(add))
}

/** Each after the one before it, as they were. */
export function foldRemoved(removes: readonly Removed[]): Removed[] {
  const folded: Removed[] = []
  let last: number | undefined
  for (const { parentId, id = 0, isShadow } of removes) {
    const list = folded.at(-1)
    const isSame = list?.parentId === parentId && list.isShadow === isShadow
    if (isSame && last !== undefined) list.ids?.push(id - last)
    else folded.push({ parentId, isShadow, ids: [id] })
    last = id
  }
  return folded.map(({ parentId, isShadow, ids = [] }) => {
    const [id = 0] = ids
    return ids.length > 1 ? { parentId, isShadow, ids } : { parentId, isShadow, id }
  })
}
