// The recorded page at a moment: a tree that operations change, for finding elements in it without a browser.

import type { NodeId, ReplayDocument, ReplayNode, ReplayOperation } from '../replay/operations.ts'

export interface PageNode {
  readonly id: NodeId
  readonly kind: 'document' | 'element' | 'text' | 'shadow'
  /** Empty, except for elements. */
  readonly tag: string
  readonly attributes: Map<string, string>
  text: string
  value: string | undefined
  isChecked: boolean | undefined
  isClosed: boolean
  parent: PageNode | undefined
  children: PageNode[]
  shadow: PageNode | undefined
  /** What a frame shows. */
  frame: PageNode | undefined
}

/** Deeper trees than browsers build: bounds the recursion. */
const deepest = 600

export interface PageModel {
  /** The document of the page; undefined before the first snapshot. */
  readonly document: PageNode | undefined
  find(id: NodeId): PageNode | undefined
  apply(operation: ReplayOperation): void
}

export function createPageModel(): PageModel {
  let document: PageNode | undefined
  let nodes = new Map<NodeId, PageNode>()

  const forget = (gone: PageNode) => {
    for (const node of within(gone)) if (nodes.get(node.id) === node) nodes.delete(node.id)
  }
  const add = (given: Pick<PageNode, 'id' | 'kind'> & Partial<PageNode>): PageNode => {
    const node: PageNode = { ...emptyNode, attributes: new Map(), children: [], ...given }
    nodes.set(node.id, node)
    return node
  }
  const fill = (parent: PageNode, children: readonly ReplayNode[], depth: number) => {
    for (const child of children) {
      const built = build(child, depth)
      if (built === undefined) continue
      built.parent = parent
      parent.children.push(built)
    }
  }
  const buildRoot = (kind: 'document' | 'shadow', { id, children }: ReplayDocument, depth: number) => {
    const root = add({ id, kind })
    fill(root, children, depth)
    return root
  }
  const build = (given: ReplayNode, depth: number): PageNode | undefined => {
    if (depth > deepest || given.kind === 'doctype') return undefined
    if (given.kind === 'text') return add({ id: given.id, kind: 'text', text: given.text })
    if (given.kind === 'known') {
      const known = nodes.get(given.id)
      if (known) detach(known)
      return known
    }
    const { id, tag, attributes, state, shadow, document: inner } = given
    const node = add({ id, kind: 'element', tag, attributes: new Map(Object.entries(attributes)) })
    fill(node, given.children, depth + 1)
    node.value = state?.value
    node.isChecked = state?.checked
    node.isClosed = state?.open === 'closed'
    if (shadow) node.shadow = attach(node, buildRoot('shadow', shadow, depth + 1))
    if (inner) node.frame = attach(node, buildRoot('document', inner, depth + 1))
    return node
  }
  const insert = ({ parent, before, nodes: given }: Extract<ReplayOperation, { do: 'insert' }>) => {
    const holder = nodes.get(parent)
    if (holder === undefined) return
    const built = given.flatMap((each) => build(each, 0) ?? [])
    const next = before === null ? undefined : nodes.get(before)
    const found = next === undefined ? -1 : holder.children.indexOf(next)
    holder.children.splice(found === -1 ? holder.children.length : found, 0, ...built)
    for (const node of built) node.parent = holder
  }

  return {
    get document() {
      return document
    },
    find: (id) => nodes.get(id),
    apply(operation) {
      switch (operation.do) {
        case 'page':
          nodes = new Map()
          document = buildRoot('document', operation.document, 0)
          return
        case 'insert':
          return insert(operation)
        case 'remove':
          for (const id of operation.ids) {
            const gone = nodes.get(id)
            if (gone === undefined) continue
            detach(gone)
            forget(gone)
          }
          return
        case 'shadow':
        case 'document': {
          const host = nodes.get(operation.id)
          if (host === undefined) return
          if (operation.do === 'shadow')
            host.shadow ??= attach(host, buildRoot('shadow', operation.shadow, 0))
          else host.frame = attach(host, buildRoot('document', operation.document, 0))
          return
        }
        default: {
          const node = 'id' in operation && operation.id !== null ? nodes.get(operation.id) : undefined
          if (node) change(node, operation)
        }
      }
    },
  }
}

const emptyNode = {
  tag: '',
  text: '',
  value: undefined,
  isChecked: undefined,
  isClosed: false,
  parent: undefined,
  shadow: undefined,
  frame: undefined,
}

function change(node: PageNode, operation: ReplayOperation): void {
  if (operation.do === 'text') node.text = operation.text
  if (operation.do === 'attribute') {
    if (operation.value === null) node.attributes.delete(operation.name)
    else node.attributes.set(operation.name, operation.value)
  }
  if (operation.do !== 'state') return
  const { value, checked, open } = operation.state
  if (value !== undefined) node.value = value
  if (checked !== undefined) node.isChecked = checked
  if (open !== undefined) node.isClosed = open === 'closed'
}

function attach(host: PageNode, root: PageNode): PageNode {
  root.parent = host
  return root
}

function detach(node: PageNode): void {
  const siblings = node.parent?.children
  const at = siblings?.indexOf(node) ?? -1
  if (at >= 0) siblings?.splice(at, 1)
  node.parent = undefined
}

/** The node and everything in it, shadow trees and frames included, in no particular order. */
function* within(root: PageNode): Generator<PageNode> {
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    open.push(...node.children)
    if (node.shadow) open.push(node.shadow)
    if (node.frame) open.push(node.frame)
  }
}

/** The elements below a root in document order, those in shadow trees included: as locators search them. */
export function* elementsIn(root: PageNode): Generator<PageNode> {
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'element' && node !== root) yield node
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child && child.kind !== 'text') open.push(child)
    }
    if (node.shadow) open.push(node.shadow)
  }
}

/** The node and what it is in, innermost first, up to its document: out of shadow trees, not out of frames. */
export function* aroundOf(node: PageNode): Generator<PageNode> {
  for (let at: PageNode | undefined = node; at; at = at.kind === 'document' ? undefined : at.parent) yield at
}

export function documentOf(node: PageNode): PageNode {
  let last = node
  for (const each of aroundOf(node)) last = each
  return last
}

export const attributeOf = (node: PageNode, name: string): string => node.attributes.get(name) ?? ''

/** As Telltale's SDK names an element in its events: up to an id, at most four elements deep. */
export function selectorOf(node: PageNode): string {
  let selector = ''
  let depth = 0
  for (const each of aroundOf(node)) {
    if (each.kind !== 'element') continue
    if (depth++ === 4) break
    const testId = attributeOf(each, 'data-testid')
    const id = attributeOf(each, 'id')
    const mark = testId ? `[data-testid="${testId}"]` : id && `#${id}`
    const classes = attributeOf(each, 'class').split(/\s+/).filter(Boolean).slice(0, 2)
    selector = each.tag + (mark || classes.map((name) => `.${name}`).join('')) + (selector && `>${selector}`)
    if (mark) break
  }
  return selector
}
