// The nodes of the rebuilt page by their recorded id. Nodes belong to the window of their frame, so their kind is told
// by `nodeType`, not by `instanceof`.

export class TooLarge extends Error {}

export interface RecordedNodes {
  get(id: number | undefined): Node | undefined
  idOf(node: Node): number | undefined
  /** @throws TooLarge */
  set(id: number, node: Node): void
  /** With all that is in it. */
  forget(node: Node): void
  clear(): void
}

const nodesAtMost = 300_000

export const isElement = (node: Node | null | undefined): node is Element => node?.nodeType === 1
export const isText = (node: Node | null | undefined): node is Text => node?.nodeType === 3
export const isDocument = (node: Node | null | undefined): node is Document => node?.nodeType === 9
const isShadowRoot = (node: Node | null | undefined): node is ShadowRoot =>
  node?.nodeType === 11 && 'host' in node
export const isRoot = (node: Node | null | undefined): node is Document | ShadowRoot =>
  isDocument(node) || isShadowRoot(node)
export const isFrame = (node: Node | null | undefined): node is HTMLIFrameElement =>
  isElement(node) && node.localName === 'iframe'

/** `partsOf`: what belongs to an element without being in the document. */
export function createRecordedNodes(partsOf: (element: Element) => readonly Node[]): RecordedNodes {
  let byId = new Map<number, Node>()
  let ids = new WeakMap<Node, number>()
  return {
    get: (id) => (id === undefined ? undefined : byId.get(id)),
    idOf: (node) => ids.get(node),
    set(id, node) {
      if (byId.size >= nodesAtMost) throw new TooLarge()
      byId.set(id, node)
      ids.set(node, id)
    },
    forget(node) {
      const waiting: Node[] = [node]
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        const id = ids.get(one)
        if (id !== undefined && byId.get(id) === one) byId.delete(id)
        for (let child = one.firstChild; child !== null; child = child.nextSibling) waiting.push(child)
        if (!isElement(one)) continue
        waiting.push(...partsOf(one))
        if (one.shadowRoot !== null) waiting.push(one.shadowRoot)
        if (isFrame(one) && one.contentDocument !== null) waiting.push(one.contentDocument)
      }
    },
    clear() {
      byId = new Map()
      ids = new WeakMap()
    },
  }
}

/** The node that contains it, also across shadow roots. */
export function ownerOf(node: Node): Node | null {
  return isShadowRoot(node) ? node.host : node.parentNode
}
