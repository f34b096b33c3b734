// What of the visible page a replay would not show, by the recorder's own masking. Bounded: a huge page stays usable.

import { toolbarTag } from '../browser/listen.ts'
import { type Context, hidden, isField, type Masking } from '../replay/masking.ts'

export type BoxKind = 'masked' | 'blocked' | 'ignored'

export interface MaskedBox {
  kind: BoxKind
  rect: DOMRect
}

const nodesLooked = 20_000
const boxesFound = 500
const checkable = /^(checkbox|radio)$/
const pictures = /^(img|video|canvas|iframe)$/
const invisible = /^(script|style|noscript|template|head)$/

export function findMasked(masking: Masking): MaskedBox[] {
  const found: MaskedBox[] = []
  const waiting: [node: Node, context: Context][] = [[document.body, masking.root]]
  const add = (kind: BoxKind, place: Element | Range) => {
    const rect = place.getBoundingClientRect()
    const isSeen = rect.width > 0 && rect.height > 0 && rect.bottom > 0 && rect.top < innerHeight
    if (isSeen) found.push({ kind, rect })
  }
  for (let looked = 0; looked < nodesLooked && found.length < boxesFound; looked++) {
    const [node, context] = waiting.pop() ?? []
    if (!node || context === undefined) break
    if (node instanceof Text) {
      if (context & hidden && node.data.trim()) add('masked', rangeOf(node))
      continue
    }
    if (!(node instanceof Element)) continue
    const { localName } = node
    if (localName === toolbarTag || invisible.test(localName)) continue
    if (masking.isBlocked(node)) {
      add('blocked', node)
      continue
    }
    const inside = masking.inside(node, context)
    const kind = isField(node) ? fieldKind(masking, node, inside) : undefined
    if (kind) add(kind, node)
    else if (pictures.test(localName) && inside & hidden) add('masked', node)
    if (isField(node)) continue
    for (const child of [...node.childNodes, ...(node.shadowRoot?.childNodes ?? [])])
      waiting.push([child, inside])
  }
  return found
}

/** Undefined: the replay shows it. */
function fieldKind(masking: Masking, field: Element, inside: Context): BoxKind | undefined {
  if (field.localName === 'select' || checkable.test(field.getAttribute('type') ?? ''))
    return masking.isCheckShown(field, inside) ? undefined : 'masked'
  const shown = masking.value(field, sample, inside)
  if (shown === undefined) return 'ignored'
  return shown === sample ? undefined : 'masked'
}

/** A letter that masking replaces. */
const sample = 'a'

function rangeOf(text: Text): Range {
  const range = document.createRange()
  range.selectNodeContents(text)
  return range
}
