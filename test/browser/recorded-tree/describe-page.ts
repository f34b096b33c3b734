// The page itself as a recording of it must have it: the same text as `describeModel` of the model. Written without
// the recorder's walk; only what masks an attribute is the recorder's.

import { type Context, hidden, type Masking } from '../../../packages/sdk/src/replay/masking.ts'

const unseen = /^(script|noscript|meta|template|base)$/
const placing = /^(class|id|style|hidden|open|slot|align|part|x|y)$/

export interface PageDescription {
  masking: Masking
  isBox(element: Element): boolean
  /** Scroll positions count. */
  isScrolled: boolean
  closedRootOf(host: Element): ShadowRoot | undefined
  /** By the recorder. */
  idOf(node: Node): number
}

export function describePage(
  root: Document,
  { masking, isBox, isScrolled, closedRootOf, idOf }: PageDescription,
): string {
  const inside = (node: Node, context: Context): string =>
    [...node.childNodes]
      .map((child) => describe(child, context))
      .filter((text) => text !== undefined)
      .join(' ')
  const describe = (node: Node, context: Context): string | undefined => {
    if (node.nodeType === Node.TEXT_NODE) {
      // UTF-8 has no half characters.
      const text = (node.nodeValue ?? '').replace(/\p{Surrogate}/gu, '\ufffd')
      const isMasked = context & hidden && node.parentElement?.localName !== 'style'
      return `${idOf(node)}:${JSON.stringify(isMasked ? text.replace(/\S/gu, 'x') : text)}`
    }
    if (node.nodeType === Node.DOCUMENT_TYPE_NODE) return `${idOf(node)}:!doctype`
    return node.nodeType === Node.ELEMENT_NODE ? describeElement(node as Element, context) : undefined
  }
  const describeElement = (element: Element, context: Context): string => {
    if (unseen.test(element.localName)) return `${idOf(element)}:<${element.localName}></>`
    const isBoxed = isBox(element)
    const own = masking.inside(element, context)
    const attributes = [...element.attributes]
      .filter(({ name }) => !isBoxed || placing.test(name))
      .map(
        ({ name, value }) =>
          [name, masking.attribute(element, { name, value, context, inside: own })] as const,
      )
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
    const written = attributes.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('')
    if (isBoxed) return `${idOf(element)}:<${element.localName}${written}></>`
    const shadow = element.shadowRoot ?? closedRootOf(element)
    const document =
      element.localName === 'iframe' ? (element as HTMLIFrameElement).contentDocument : undefined
    const inner = [
      shadow && `${idOf(shadow)}:#shadow(${inside(shadow, own)})`,
      document && `${idOf(document)}:#document(${inside(document, own)})`,
      inside(element, own),
    ].filter((part) => part)
    // The document's own is not among the steps.
    const place =
      isScrolled && element.scrollTop && !/^(html|body)$/.test(element.localName)
        ? ` ^${Math.round(element.scrollTop)}`
        : ''
    return `${idOf(element)}:<${element.localName}${written}${place}>${inner.join(' ')}</>`
  }
  return inside(root, masking.root)
}
