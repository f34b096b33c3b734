// A recorded page as operations describe it, without a browser: what a player has to build.

import type {
  ElementState,
  ReplayDocument,
  ReplayNode,
  ReplayOperation,
  ReplayShadow,
} from '@telltale/core/telemetry/replay/operations'

export interface ModelNode {
  id: number
  kind: 'element' | 'text' | 'doctype' | 'shadow' | 'document'
  tag: string
  text: string
  attributes: Map<string, string>
  state: ElementState
  parent: ModelNode | undefined
  children: ModelNode[]
  shadow: ModelNode | undefined
  document: ModelNode | undefined
}

export interface PageModel {
  readonly document: ModelNode | undefined
  /** Nodes, also such as no one sees. */
  readonly size: number
  /** Throws where a player would have to guess. */
  apply(operation: ReplayOperation): void
}

export function createPageModel(): PageModel {
  const byId = new Map<number, ModelNode>()
  let document: ModelNode | undefined
  let doing = ''

  const find = (id: number) => {
    const node = byId.get(id)
    if (!node) throw new Error(`node ${id} is unknown, but ${doing} needs it`)
    return node
  }
  const make = (id: number, kind: ModelNode['kind']): ModelNode => {
    if (byId.has(id)) throw new Error(`node ${id} exists`)
    const none = { parent: undefined, shadow: undefined, document: undefined }
    const node = { id, kind, tag: '', text: '', attributes: new Map(), state: {}, children: [], ...none }
    byId.set(id, node)
    return node
  }
  const detach = (node: ModelNode) => {
    const { parent } = node
    if (!parent) return
    parent.children = parent.children.filter((child) => child !== node)
    node.parent = undefined
  }
  const attach = (parent: ModelNode, node: ModelNode, before?: ModelNode) => {
    for (let at: ModelNode | undefined = parent; at; at = at.parent)
      if (at === node) throw new Error(`node ${node.id} would contain itself`)
    detach(node)
    const index = before ? parent.children.indexOf(before) : parent.children.length
    if (index < 0) throw new Error(`node ${before?.id} is not in ${parent.id}`)
    parent.children.splice(index, 0, node)
    node.parent = parent
  }
  const forget = (node: ModelNode) => {
    byId.delete(node.id)
    for (const each of [...node.children, node.shadow, node.document]) if (each) forget(each)
  }
  const buildRoot = (
    kind: 'shadow' | 'document',
    { id, children }: ReplayShadow | ReplayDocument,
    host?: ModelNode,
  ) => {
    const root = make(id, kind)
    root.parent = host
    for (const child of children) attach(root, build(child))
    return root
  }
  const build = (given: ReplayNode): ModelNode => {
    if (given.kind === 'known') return scrollBack(find(given.id))
    const node = make(given.id, given.kind)
    if (given.kind === 'text') node.text = given.text
    if (given.kind !== 'element') return node
    node.tag = given.tag
    node.attributes = new Map(Object.entries(given.attributes))
    node.state = { ...given.state }
    if (given.shadow) node.shadow = buildRoot('shadow', given.shadow, node)
    if (given.document) node.document = buildRoot('document', given.document, node)
    for (const child of given.children) attach(node, build(child))
    return node
  }
  return {
    get document() {
      return document
    },
    get size() {
      return byId.size
    },
    apply(operation) {
      doing = JSON.stringify(operation)
      switch (operation.do) {
        case 'page':
          byId.clear()
          document = buildRoot('document', operation.document)
          return
        case 'insert': {
          const parent = find(operation.parent)
          const before = operation.before === null ? undefined : find(operation.before)
          for (const node of operation.nodes) attach(parent, build(node), before)
          return
        }
        case 'remove':
          for (const id of operation.ids) {
            const node = byId.get(id)
            // It was in one that was removed before it.
            if (!node) continue
            detach(node)
            forget(node)
          }
          return
        case 'text':
          find(operation.id).text = operation.text
          return
        case 'attribute': {
          const { attributes } = find(operation.id)
          if (operation.value === null) attributes.delete(operation.name)
          else attributes.set(operation.name, operation.value)
          return
        }
        case 'state': {
          const node = find(operation.id)
          node.state = { ...node.state, ...operation.state }
          return
        }
        case 'shadow': {
          const host = find(operation.id)
          if (host.shadow) throw new Error(`node ${host.id} has a shadow root`)
          host.shadow = buildRoot('shadow', operation.shadow, host)
          return
        }
        case 'document': {
          const frame = find(operation.id)
          if (frame.document) forget(frame.document)
          frame.document = buildRoot('document', operation.document, frame)
          return
        }
        case 'focus':
          if (operation.id !== null) find(operation.id)
          return
        default:
          // Style sheets: of the player alone.
          return
      }
    },
  }
}

/** What moves is no longer scrolled. */
function scrollBack(node: ModelNode): ModelNode {
  const { scroll, ...state } = node.state
  node.state = state
  for (const each of [...node.children, node.shadow, node.document]) if (each) scrollBack(each)
  return node
}

/** With itself. */
export function countNodes(node: ModelNode): number {
  const inner = [node.shadow, node.document, ...node.children].filter((each) => each !== undefined)
  return inner.reduce((sum, each) => sum + countNodes(each), 1)
}

/** As text, to be compared. */
export function describeModel(node: ModelNode, isScrolled: boolean): string {
  const describe = (inner: ModelNode) => describeModel(inner, isScrolled)
  const inner = [
    node.shadow && `${node.shadow.id}:#shadow(${describe(node.shadow)})`,
    node.document && `${node.document.id}:#document(${describe(node.document)})`,
    ...node.children.map(describe),
  ].filter((part) => part !== undefined)
  if (node.kind === 'text') return `${node.id}:${JSON.stringify(node.text)}`
  if (node.kind === 'doctype') return `${node.id}:!doctype`
  if (node.kind !== 'element') return inner.join(' ')
  const attributes = [...node.attributes].sort(([one], [other]) => (one < other ? -1 : 1))
  const written = attributes.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('')
  const { scroll } = node.state
  // The document's own is not compared: a dialog that opens can scroll to it.
  const place = isScrolled && scroll?.y && !/^(html|body)$/.test(node.tag) ? ` ^${scroll.y}` : ''
  return `${node.id}:<${node.tag}${written}${place}>${inner.join(' ')}</>`
}
