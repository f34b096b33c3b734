// Traverses from a node out of shadow trees to their hosts, and out of frames to their elements.

export const maskMark = 'data-telltale-mask'
export const blockMark = 'data-telltale-block'
export const ignoreMark = 'data-telltale-ignore'

export function isElement(node: Node | null | undefined): node is Element {
  return node?.nodeType === 1
}

export function parentOf(node: Node): Node | null {
  if (node.parentNode) return node.parentNode
  const { host, defaultView } = Object(node)
  try {
    return host ?? defaultView?.frameElement ?? null
  } catch {
    return null
  }
}

/** The node itself, or an ancestor. */
export function isWithin(node: Node | null, holds: (element: Element) => boolean): boolean {
  for (let at = node; at; at = parentOf(at)) if (isElement(at) && holds(at)) return true
  return false
}

/** In a frame or a shadow tree of a part that is left out: what is in the page itself is left out by the recorder. */
export function isLeftOut(node: Node | null, mark: string): boolean {
  if (isElement(node) && node.localName === 'iframe' && node.closest(mark)) return true
  let root = node?.getRootNode()
  while (root && root !== document) {
    const holder = parentOf(root)
    if (!isElement(holder)) return false
    if (holder.closest(mark)) return true
    root = holder.getRootNode()
  }
  return false
}

/** What is not recorded at all: by the mark of the page and the rules of the environment. */
export function blockSelector({ block = [] }: { block?: readonly string[] } = {}): string {
  return [`[${blockMark}]`, ...block].join()
}
