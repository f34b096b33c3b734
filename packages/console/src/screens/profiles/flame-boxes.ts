import type { DrawnBox, FlameLook } from '../../charts/flame-box.ts'
import { type FlameTree, layoutFlame } from '../../charts/flame-layout.ts'
import { durationText, shareText } from '../../ui/text/measure-text.ts'
import type { CallNode } from './call-tree.ts'
import { nameOf, shortWhereOf } from './frame-words.ts'

export interface Drawing {
  /** The name of the root. */
  readonly whole: string
  readonly lookOf: (node: CallNode) => FlameLook
  /** `+31 ms`. */
  readonly endOf?: (node: CallNode) => string | undefined
  /** `…, +31 ms against control`. */
  readonly noteOf?: (node: CallNode) => string | undefined
}

export interface Marks {
  readonly isMarked: (node: CallNode) => boolean
  /** During a search, boxes that do not match are dimmed. */
  readonly fadesOthers: boolean
}

interface Laid {
  tree: FlameTree
  nodes: readonly CallNode[]
  zoom: number
  width: number
}

/** The boxes drawn for a tree, with their accessible names. */
export function flameBoxes(
  { tree, nodes, zoom, width }: Laid,
  { whole, lookOf, endOf, noteOf }: Drawing,
  { isMarked, fadesOthers }: Marks,
): DrawnBox[] {
  const all = nodes[0]?.value ?? 0
  return layoutFlame(tree, zoom, width).map((box) => {
    const node = nodes[box.id]
    if (node === undefined || box.more > 0) {
      const name = `${box.more} more`
      return { ...box, name, label: `${name}, each too small to show`, look: 'native', isFaint: true }
    }
    const name = node.frame ? nameOf(node.frame) : whole
    const time = durationText(node.value)
    // Starts with the visible label of the box.
    const details = [
      [name, time, noteOf?.(node)].filter(Boolean).join(' '),
      node.frame && shortWhereOf(node.frame),
    ]
    const share = all > 0 ? `${shareText(node.value / all)} of all` : undefined
    const isFound = isMarked(node)
    return {
      ...box,
      name,
      note: time,
      end: endOf?.(node),
      look: lookOf(node),
      label: [...details, share].filter(Boolean).join(', '),
      isFaint: box.isAbove || (fadesOthers && !isFound),
      isMarked: isFound,
    }
  })
}
