// Steps of random programs that change a page: what frameworks, editors and careless scripts do to a document. Each
// takes numbers, and picks nodes by them from what is there.

export interface World {
  readonly document: Document
  /** Nodes that were taken out of the page, to come back. */
  readonly kept: Node[]
  readonly closed: Map<Element, ShadowRoot>
  /** No mutation record tells that a node kept its state on its way. */
  hasMovedWithState: boolean
}

export type Step = (world: World, numbers: readonly [number, number, number]) => void

const tags = ['div', 'p', 'span', 'ul', 'li', 'table', 'x-part', 'b', 'section', 'script', 'img', 'template']
export const texts = ['one', 'two words', ' ', '', 'Grüße\nfrom 世界', 'x', '🚲 bicycle']
const names = ['class', 'title', 'data-state', 'hidden', 'style', 'aria-label', 'id']
const markers = ['data-telltale-mask', 'data-telltale-block', 'data-telltale-ignore', 'contenteditable']

export function pick<Value>(list: ArrayLike<Value>, number: number): Value {
  const found = list[number % Math.max(1, list.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

/** Roots that can be changed: of the page, its shadow trees and its frames. */
export function rootsOf({ document, closed }: World): ParentNode[] {
  const roots: ParentNode[] = []
  const look = (root: ParentNode) => {
    roots.push(root)
    for (const element of root.querySelectorAll('*')) {
      const shadow = element.shadowRoot ?? closed.get(element)
      if (shadow) look(shadow)
      if (element.localName === 'iframe') {
        const inner = (element as HTMLIFrameElement).contentDocument
        if (inner?.body) look(inner.body)
      }
    }
  }
  look(document.body)
  return roots
}

export function elementsOf(world: World): ParentNode[] {
  return rootsOf(world).flatMap((root) => [root, ...root.querySelectorAll(':not(style,select,option)')])
}

function nodesOf(world: World): ChildNode[] {
  return elementsOf(world).flatMap((element) => [...element.childNodes])
}

function framesOf(world: World): HTMLIFrameElement[] {
  return rootsOf(world).flatMap((root) => [...root.querySelectorAll('iframe')])
}

function newElement(document: Document): Element {
  const html = document.createElement('html')
  html.append(document.createElement('body'))
  return html
}

const svgSpace = 'http://www.w3.org/2000/svg'
const xlink = 'http://www.w3.org/1999/xlink'

function newTree({ document }: Pick<World, 'document'>, number: number): Node {
  const kind = number % 7
  if (kind === 0) return document.createTextNode(pick(texts, number >> 3))
  if (kind === 1) return document.createComment('not recorded')
  const element = document.createElement(pick(tags, number >> 3))
  if (kind > 3) element.setAttribute(pick(names, number >> 5), pick(texts, number >> 7))
  for (let child = 0; child < kind - 2; child++) element.append(newTree({ document }, (number >> 3) + child))
  return element
}

export function insert(parent: ParentNode, node: Node, number: number): void {
  const children = parent.childNodes
  const before = number % (children.length + 1) === children.length ? null : pick(children, number)
  if (node.contains(parent) || before === node) return
  parent.insertBefore(node, before)
}

export const steps: Record<string, Step> = {
  add: (world, [one, two, three]) => insert(pick(elementsOf(world), one), newTree(world, two), three),
  remove: (world, [one]) => {
    const node = pick(nodesOf(world), one)
    node.remove()
    if (one % 3 === 0) world.kept.push(node)
  },
  'put back': (world, [one, two, three]) => {
    const node = pick(world.kept, one)
    world.kept.splice(world.kept.indexOf(node), 1)
    insert(pick(elementsOf(world), two), node, three)
  },
  'change what was taken out': ({ kept, document }, [one, two, three]) => {
    const node = pick(kept, one)
    if (node instanceof Element) insert(node, newTree({ document }, two), three)
    else node.nodeValue = pick(texts, two)
  },
  'move out of what was taken out': (world, [one, two, three]) => {
    const inner = [...(pick(world.kept, one) as Element).querySelectorAll('*')]
    insert(pick(elementsOf(world), two), pick(inner, three), two + three)
  },
  move: (world, [one, two, three]) => insert(pick(elementsOf(world), two), pick(nodesOf(world), one), three),
  'move back and forth': (world, [one, two, three]) => {
    const node = pick(nodesOf(world), one)
    const { parentNode, nextSibling } = node
    insert(pick(elementsOf(world), two), node, three)
    if (parentNode && !node.contains(parentNode))
      parentNode.insertBefore(node, nextSibling === node ? null : nextSibling)
  },
  swap: (world, [one, two]) => {
    const [node, other] = [pick(nodesOf(world), one), pick(nodesOf(world), two)]
    if (node.contains(other) || other.contains(node)) return
    const mark = world.document.createComment('')
    node.replaceWith(mark)
    other.replaceWith(node)
    mark.replaceWith(other)
  },
  'turn inside out': (world, [one]) => {
    const child = pick(
      rootsOf(world).flatMap((root) => [...root.querySelectorAll('* > *')]),
      one,
    )
    const parent = child.parentElement
    if (!parent || parent === world.document.body || !parent.parentNode) return
    parent.replaceWith(child)
    child.append(parent)
  },
  wrap: (world, [one]) => {
    const node = pick(nodesOf(world), one)
    const wrapper = world.document.createElement('div')
    node.replaceWith(wrapper)
    wrapper.append(node)
  },
  sort: (world, [one, two]) => {
    const parent = pick(elementsOf(world), one)
    const children = [...parent.childNodes]
    parent.append(...children.sort((a, b) => ((a.nodeType * 31 + two) % 7) - ((b.nodeType * 17 + two) % 5)))
  },
  reverse: (world, [one]) => {
    const parent = pick(elementsOf(world), one)
    parent.append(...[...parent.childNodes].reverse())
  },
  'replace all': (world, [one, two]) =>
    pick(elementsOf(world), one).replaceChildren(newTree(world, two), newTree(world, two + 1)),
  'text content': (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    if (element !== world.document.body) (element as Element).textContent = pick(texts, two)
  },
  html: (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    if (element instanceof Element && element !== world.document.body)
      element.innerHTML = `<p class="${two % 5}">${pick(texts, two)}</p>text<!-- note --><b title=x>${two}</b>`
  },
  text: (world, [one, two]) => {
    const found = nodesOf(world).filter(({ nodeType }) => nodeType === 3)
    pick(found, one).nodeValue = pick(texts, two)
  },
  normalize: (world, [one]) => pick(elementsOf(world), one).normalize(),
  'split text': (world, [one, two]) => {
    const found = nodesOf(world).filter((node): node is Text => node.nodeType === 3)
    const text = pick(found, one)
    text.splitText(two % (text.length + 1))
  },
  attribute: (world, [one, two, three]) => {
    const element = pick(elementsOf(world), one)
    if (element instanceof Element) element.setAttribute(pick(names, two), pick(texts, three))
  },
  'no attribute': (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    if (element instanceof Element) element.removeAttribute(pick(names, two))
  },
  mark: (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    if (element instanceof Element && element !== world.document.body)
      element.toggleAttribute(pick(markers, two))
  },
  shadow: (world, [one, two, three]) => {
    const hosts = elementsOf(world).filter(
      (element): element is Element =>
        element instanceof Element &&
        /^(div|p|span|section|x-part)$/.test(element.localName) &&
        !element.shadowRoot &&
        !world.closed.has(element),
    )
    const host = pick(hosts, one)
    const root = host.attachShadow({ mode: two % 2 ? 'open' : 'closed' })
    if (two % 2 === 0) world.closed.set(host, root)
    root.append(newTree(world, three))
  },
  frame: (world, [one, two, three]) => {
    const roots = rootsOf(world)
    if (roots.length > 12) return
    const frame = world.document.createElement('iframe')
    insert(pick(elementsOf(world), one), frame, two)
    frame.contentDocument?.body?.append(newTree(world, three))
  },
  'document of a frame': (world, [one, two]) => {
    const frame = pick(framesOf(world), one)
    const inner = frame.contentDocument
    // No navigation: it is over only in a later task.
    if (two % 3 === 0) inner?.replaceChild(newElement(inner), inner.documentElement)
    else {
      inner?.open()
      inner?.write(`<!doctype html><title>t</title><p>${pick(texts, two)}<div><b>x</b>`)
      if (two % 2) inner?.close()
    }
  },
  'html with a shadow tree': (world, [one, two]) => {
    const element = pick(elementsOf(world), one)
    const mark = two % 2 ? 'shadowrootclonable' : ''
    const shadow = `<template shadowrootmode="open" ${mark}><i>${two}</i><slot></slot></template>`
    const html = `<div>${shadow}${pick(texts, two)}</div>`
    if (element instanceof Element && element !== world.document.body) element.setHTMLUnsafe(html)
  },
  'move with its state': (world, [one, two, three]) => {
    const parent = pick(elementsOf(world), two)
    const node = pick(nodesOf(world), one)
    const children = parent.childNodes
    if (node.contains(parent)) return
    world.hasMovedWithState = true
    Reflect.get(parent, 'moveBefore').call(parent, node, children[three % (children.length + 1)] ?? null)
  },
  'take a range': (world, [one, two, three]) => {
    const range = world.document.createRange()
    const [start, end] = [pick(nodesOf(world), one), pick(nodesOf(world), two)]
    range.setStart(start, 0)
    range.setEnd(end, end.childNodes.length)
    if (three % 3 === 0) range.deleteContents()
    else if (three % 3 === 1) world.kept.push(...range.extractContents().childNodes)
    else range.surroundContents(world.document.createElement('mark'))
  },
  drawing: (world, [one, two, three]) => {
    const parent = pick(elementsOf(world), one)
    const svg = world.document.createElementNS(svgSpace, pick(['svg', 'use', 'linearGradient'], two))
    svg.setAttribute('viewBox', '0 0 9 9')
    svg.setAttributeNS(xlink, 'xlink:href', '#part')
    insert(parent, svg, three)
  },
  'attribute of a drawing': (world, [one, two]) => {
    const drawings = elementsOf(world).filter((each) => each instanceof SVGElement)
    const svg = pick(drawings, one)
    if (two % 3 === 0) svg.removeAttributeNS(xlink, 'href')
    else if (two % 3 === 1) svg.setAttributeNS(xlink, 'xlink:href', `#${two}`)
    else svg.setAttribute('viewBox', `0 0 ${two} 1`)
  },
  field: (world, [one, two, three]) => {
    const field = world.document.createElement(pick(['input', 'textarea', 'select', 'option', 'button'], two))
    if (three % 2) field.setAttribute('value', pick(texts, three))
    field.append(pick(texts, two + three))
    insert(pick(elementsOf(world), one), field, three)
  },
  'the whole page': ({ document }, [one, two]) => {
    if (one % 3 === 0) document.documentElement.setAttribute('lang', pick(texts, two))
    else if (one % 3 === 1) document.head.append(newTree({ document }, two))
    else document.head.replaceChildren()
  },
  clone: (world, [one, two, three]) =>
    insert(pick(elementsOf(world), two), pick(nodesOf(world), one).cloneNode(true), three),
}
