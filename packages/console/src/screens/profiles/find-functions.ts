import { keyOf } from '../../ui/text/function-key.ts'
import type { CallNode } from './call-tree.ts'
import { fileOf, nameOf } from './frame-words.ts'

export interface FoundFunctions {
  /** By function key. */
  readonly keys: ReadonlySet<string>
  /** Share of the total time of the matches, counting nested calls once. */
  readonly share: number
}

/** Functions whose name or file contains a text, ignoring case. */
export function findFunctions(nodes: readonly CallNode[], text: string): FoundFunctions {
  const wanted = text.trim().toLowerCase()
  const keys = new Set<string>()
  if (wanted === '') return { keys, share: 0 }
  /** Whether the node or one of its callers matches. */
  const covered: boolean[] = []
  let time = 0
  for (const { frame, parent, value } of nodes) {
    const isFound = frame !== undefined && `${nameOf(frame)} ${fileOf(frame)}`.toLowerCase().includes(wanted)
    if (isFound) keys.add(keyOf(frame))
    if (isFound && !covered[parent]) time += value
    covered.push(isFound || covered[parent] === true)
  }
  const all = nodes[0]?.value ?? 0
  return { keys, share: all > 0 ? time / all : 0 }
}
