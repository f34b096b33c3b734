// The tree of the rebuilt page: its documents, and nodes that are put into them.

import { attachShadow, type Builder, buildNodes, type Later, numbersOf } from './build-nodes.ts'
import { applyState, scroll } from './element-states.ts'
import { idOf, isObject, type Json, listOf } from './read-json.ts'
import { isDocument, isElement, isText } from './recorded-nodes.ts'

export const changesAtMost = 300_000
const framesDeep = 20
const doctypeType = 10

interface PageTree {
  /** Whether it has a page to show. */
  showDocument(frame: HTMLIFrameElement, recorded: Json, depth: number): boolean
  insert(operation: Json): void
  attach(host: Element, shadow: Json): void
}

export function createPageTree(builder: Builder): PageTree {
  const { assets, nodes, styles, sheets } = builder

  const showDocument = (frame: HTMLIFrameElement, recorded: Json, depth: number): boolean => {
    const document = frame.contentDocument
    const id = idOf(recorded.id)
    if (document === null || id === undefined || depth > framesDeep) return false
    const known = nodes.get(id)
    // A frame of another origin that has moved shows its page anew, with the same ids.
    if (isDocument(known) && known.defaultView === null) nodes.forget(known)
    else if (known !== undefined && known !== document) return false
    nodes.forget(document)
    openDocument(document, recorded.isQuirky === true)
    nodes.set(id, document)
    sheets.adopt(document, numbersOf(recorded.adopted))
    const later: Later = { states: [], frames: [] }
    const built = buildNodes(recorded.children, { document, depth: 0, parent: document, later }, builder)
    const html = built.find((node) => isElement(node) && node.localName === 'html')
    const doctype = built.find(({ nodeType }) => nodeType === doctypeType)
    for (const node of [doctype, html]) if (node !== undefined) document.appendChild(node)
    for (const face of assets.faces()) document.fonts.add(face)
    finish(later, depth)
    if (isObject(recorded.scroll) && document.defaultView) scroll(document.defaultView, recorded.scroll)
    return html !== undefined
  }
  /** Places of scrollbars depend on everything else. */
  const finish = ({ states, frames }: Later, depth: number) => {
    for (const [frame, document] of frames) if (frame.isConnected) showDocument(frame, document, depth + 1)
    for (const [element, { sheet: _built, scroll: _later, ...state }] of states)
      applyState(element, state, builder)
    for (const [element, { scroll: place }] of states) if (isObject(place)) scroll(element, place)
  }
  const insertTexts = (element: Element, built: readonly Node[], before: Node | undefined) => {
    for (const node of built) {
      if (!isText(node)) continue
      if (!styles.remove(node)) node.parentNode?.removeChild(node)
      styles.insert(element, node, before)
    }
    styles.render(element)
  }
  const insertNodes = (parent: Node, built: readonly Node[], before: Node | undefined) => {
    const fragment = (isDocument(parent) ? parent : parent.ownerDocument)?.createDocumentFragment()
    if (fragment === undefined) return
    for (const node of built) {
      // A text that moves out of a style sheet.
      if (isText(node)) styles.remove(node)
      if (isDocument(parent)) replaceInDocument(parent, node)
      else fragment.appendChild(node)
    }
    if (!isDocument(parent)) parent.insertBefore(fragment, before?.parentNode === parent ? before : null)
  }
  return {
    showDocument,
    insert({ parent: parentId, before: beforeId, nodes: recorded }) {
      const parent = nodes.get(idOf(parentId))
      if (parent === undefined || isText(parent)) return
      const document = isDocument(parent) ? parent : parent.ownerDocument
      if (document === null) return
      const later: Later = { states: [], frames: [] }
      const list = listOf(recorded).slice(0, changesAtMost)
      const built = buildNodes(list, { document, depth: 0, parent, later }, builder)
      const before = nodes.get(idOf(beforeId))
      const isSheet = isElement(parent) && styles.has(parent)
      try {
        if (isSheet) insertTexts(parent, built, before)
        else insertNodes(parent, built, before)
      } finally {
        for (const node of built) if (!node.isConnected && !(isSheet && isText(node))) nodes.forget(node)
      }
      finish(later, 0)
    },
    attach(host, shadow) {
      const later: Later = { states: [], frames: [] }
      attachShadow({ host, shadow }, { document: host.ownerDocument, depth: 0, later }, builder)
      finish(later, 0)
    },
  }
}

/** It has one element and one doctype. The one before is removed later, when what moves out of it has done so. */
function replaceInDocument(document: Document, node: Node): void {
  const isDoctype = node.nodeType === doctypeType
  if (!isDoctype && !isElement(node)) return
  const before = isDoctype ? document.doctype : document.documentElement
  if (before !== null && before !== node) document.removeChild(before)
  document.insertBefore(node, isDoctype ? document.firstChild : null)
}

/** Empty, in the mode of the recorded one. */
function openDocument(document: Document, isQuirky: boolean): void {
  document.open()
  document.write(isQuirky ? '<html>' : '<!doctype html>')
  document.close()
  document.replaceChildren()
}
