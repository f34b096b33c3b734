// What changed in the tree since it was written: from mutation records, as they arrive. Nothing is written here.
// A node counts as moved only while it never left the page; what left it is new when it comes back, because nobody
// saw what happened to it in between.

import { rootOf } from './natives.ts'
import type { NodeIds } from './node-ids.ts'
import { aboveOf, hostOf } from './place-nodes.ts'
import { isRecorded, shown } from './write-tree.ts'

export interface TreeChanges {
  read(records: readonly MutationRecord[]): void
  /** Ids that the player is to remove. */
  readonly gone: number[]
  readonly attributes: Map<Element, Set<string>>
  readonly texts: Set<Text>
  /** The nodes that have come or moved, which are due from now on. */
  take(): Node[]
  /** It is due, and has not come or moved once more since `take`. */
  isDue(node: Node): boolean
  /** It has been placed. True: the player had it before, elsewhere. */
  place(node: Node): boolean
  /** Those that are still due are written the next time. */
  putBack(): void
  /** The player does not have it in its place. */
  isPending(node: Node): boolean
  /**
   * Neither it nor what it is in has moved: it could be put into itself otherwise, other things are masked there, and
   * the player would undo states that are newer than the move.
   */
  isInPlace(node: Node | undefined): boolean
  /** The player is to remove it. */
  drop(node: Node): void
  /** It is new, and written the next time. */
  postpone(node: Node): void
  /** It is written again. */
  replace(node: Node): void
  /**
   * What is about to be removed may hold nodes, for the player, that have moved out of it and are not placed yet: they
   * are written anew.
   */
  renew(): void
  /** The player removes it by itself. */
  forget(node: Node): void
  isWaiting(): boolean
  clear(): void
}

export interface TreeChangesOptions {
  ids: NodeIds
  onChange(target: Node): void
}

export function createTreeChanges({ ids, onChange }: TreeChangesOptions): TreeChanges {
  /** In nodes that the player has; without an id a node is new to it. */
  const pending = new Set<Node>()
  /** Of them, those that are being written. */
  const due = new Set<Node>()
  const gone: number[] = []
  const attributes = new Map<Element, Set<string>>()
  const texts = new Set<Text>()

  const isPending = (node: Node) => pending.has(node) || due.has(node)
  const note = (node: Node) => {
    due.delete(node)
    pending.add(node)
  }
  const settle = (node: Node) => pending.delete(node) || due.delete(node)
  /** What moved into it is elsewhere for the player, what came into it is written with it. */
  const forget = (node: Node) => {
    ids.forget(node, (each) => {
      if (each !== node && settle(each) && ids.has(each)) gone.push(ids.of(each))
    })
  }
  const drop = (node: Node) => {
    const id = ids.of(node)
    settle(node)
    forget(node)
    if (id > 0) gone.push(id)
  }
  const replace = (node: Node) => {
    drop(node)
    pending.add(node)
  }
  /** `textContent = …` puts another node in the place of the one that was there. */
  const isTextReplaced = (record: MutationRecord, removed: Set<Node>) => {
    const { removedNodes, addedNodes } = record
    const [before, after] = [removedNodes[0], addedNodes[0]]
    const isPair = removedNodes.length === 1 && addedNodes.length === 1
    if (!isPair || before?.nodeType !== 3 || after?.nodeType !== 3) return false
    if (!ids.has(before) || ids.has(after) || isPending(after)) return false
    if (isPending(before) || removed.has(before)) return false
    texts.delete(before as Text)
    texts.add(after as Text)
    ids.pass(before, after)
    shown.set(after, shown.get(before))
    return true
  }
  const readChildren = (record: MutationRecord, removed: Set<Node>) => {
    const { target, addedNodes, removedNodes } = record
    const isKnown = ids.has(target)
    if (isKnown && isTextReplaced(record, removed)) return
    for (const node of removedNodes) if (ids.has(node)) removed.add(node)
    if (isKnown) for (const node of addedNodes) if (!ids.has(node) && isRecorded(node)) note(node)
  }
  return {
    gone,
    attributes,
    texts,
    read(records) {
      const removed = new Set<Node>()
      for (const record of records) {
        const { type, target } = record
        if (type === 'childList') readChildren(record, removed)
        else if (!ids.has(target)) continue
        else if (type === 'characterData') texts.add(target as Text)
        else {
          const names = attributes.get(target as Element) ?? new Set()
          attributes.set(target as Element, names.add(attributeOf(record)))
        }
        onChange(target)
      }
      // All of them first: what one of them took along is elsewhere for the player.
      for (const node of removed) if (ids.has(node)) note(node)
      for (const node of removed) if (ids.has(node) && !isInPage(ids, node)) drop(node)
    },
    take() {
      for (const node of pending) due.add(node)
      pending.clear()
      return [...due]
    },
    isDue: (node) => due.has(node),
    place(node) {
      due.delete(node)
      return ids.has(node)
    },
    putBack() {
      for (const node of due) pending.add(node)
      due.clear()
    },
    isPending,
    isInPlace: (node) => isNoneUpFrom(node, isPending),
    drop,
    forget,
    postpone: note,
    replace,
    renew() {
      for (const node of [...pending]) if (ids.has(node)) replace(node)
    },
    isWaiting: () => [pending, attributes, texts].some(({ size }) => size > 0),
    clear() {
      for (const each of [pending, due, attributes, texts]) each.clear()
      gone.length = 0
    },
  }
}

/** With its prefix, which the record does not give. When it is gone, the one that is written for its namespace. */
function attributeOf({ target, attributeName, attributeNamespace: space }: MutationRecord): string {
  const name = attributeName ?? ''
  if (!space) return name
  const found = (target as Element).getAttributeNodeNS(space, name)
  return found ? found.name : `${space.endsWith('/xlink') ? 'xlink' : 'xml'}:${name}`
}

function isNoneUpFrom(node: Node | undefined, isMeant: (node: Node) => boolean): boolean {
  for (let at = node; at; at = aboveOf(at)) if (isMeant(at)) return false
  return true
}

/** In roots that are observed: what happens to a node in another one is not seen. */
function isInPage(ids: NodeIds, node: Node): boolean {
  let root: Node | undefined = rootOf(node)
  while (root && root !== document && ids.has(root)) {
    const host = hostOf(root)
    root = host && rootOf(host)
  }
  return root === document
}
