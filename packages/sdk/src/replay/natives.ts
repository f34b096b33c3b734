// Members of nodes as the browser has them. A form shows its fields in their place, and a document its forms and
// pictures: a field that is named `parentNode` would be taken for the parent, and lead around in circles.

// Tests run without a browser.
const { Node, Element } = globalThis as Partial<typeof globalThis>
const { call } = Function.prototype

function getter<Owner extends object, Name extends keyof Owner>(
  owner: { prototype: Owner } | undefined,
  name: Name,
): (of: Owner) => Owner[Name] {
  const get = owner && Object.getOwnPropertyDescriptor(owner.prototype, name)?.get
  return get ? call.bind(get) : (of) => of[name]
}

interface Answers {
  getAttribute: string | null
  hasAttribute: boolean
  matches: boolean
  closest: Element | null
  querySelector: Element | null
}

function method<Name extends keyof Answers>(name: Name): (of: Element, text: string) => Answers[Name] {
  const found: ((text: string) => unknown) | undefined = Element?.prototype[name]
  return found ? call.bind(found) : (of, text) => Object(of)[name](text)
}

export const typeOf = getter(Node, 'nodeType')
export const parentOf = getter(Node, 'parentNode')
export const firstOf = getter(Node, 'firstChild')
export const nextOf = getter(Node, 'nextSibling')
export const previousOf = getter(Node, 'previousSibling')
export const documentOf = getter(Node, 'ownerDocument')
export const nameOf = getter(Element, 'localName')
export const scrollLeftOf = getter(Element, 'scrollLeft')
export const scrollTopOf = getter(Element, 'scrollTop')
export const attributesOf = getter(Element, 'attributes')
export const shadowOf = getter(Element, 'shadowRoot')
export const getAttribute = method('getAttribute')
export const hasAttribute = method('hasAttribute')
export const matches = method('matches')
export const closest = method('closest')
export const querySelector = method('querySelector')

/** The document, shadow root or detached node that it is in, itself included. */
export function rootOf(node: Node): Node {
  let root = node
  for (let above: Node | null = node; above; above = parentOf(above)) root = above
  return root
}
