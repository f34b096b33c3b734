// Roles and names of recorded elements as assistive technology, and Playwright's `getByRole`, compute them: the part
// of https://www.w3.org/TR/accname-1.2 that needs no styles. Spaces between elements depend on styles, so that a name
// is a list of pieces.

import { aroundOf, attributeOf, documentOf, elementsIn, type PageNode } from './page-model.ts'

const byTag: Readonly<Record<string, string>> = {
  article: 'article',
  button: 'button',
  dialog: 'dialog',
  fieldset: 'group',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  img: 'img',
  li: 'listitem',
  main: 'main',
  nav: 'navigation',
  option: 'option',
  progress: 'progressbar',
  search: 'search',
  table: 'table',
  textarea: 'textbox',
  td: 'cell',
  tr: 'row',
}
const byType: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
}
const textTypes = new Set(['', 'text', 'email', 'tel', 'url'])
/** Named by what they contain. */
const namedByContent = new Set(
  'button cell checkbox heading link menuitem menuitemcheckbox menuitemradio option radio row switch tab treeitem'.split(
    ' ',
  ),
)
const never = new Set(['script', 'style', 'template', 'noscript'])

/** Empty: it has no role that a locator can use. */
export function roleOf(node: PageNode): string {
  const [given] = attributeOf(node, 'role').trim().split(/\s+/, 1)
  if (given) return given
  const { tag } = node
  if (tag === 'a' || tag === 'area') return node.attributes.has('href') ? 'link' : ''
  if (tag === 'select')
    return node.attributes.has('multiple') || Number(attributeOf(node, 'size')) > 1 ? 'listbox' : 'combobox'
  if (tag === 'form' || tag === 'section') {
    const isNamed = node.attributes.has('aria-label') || node.attributes.has('aria-labelledby')
    return isNamed ? (tag === 'form' ? 'form' : 'region') : ''
  }
  if (tag !== 'input') return Object.hasOwn(byTag, tag) ? (byTag[tag] ?? '') : ''
  const type = typeOf(node)
  if (textTypes.has(type)) return node.attributes.has('list') ? 'combobox' : 'textbox'
  return Object.hasOwn(byType, type) ? (byType[type] ?? '') : ''
}

export const typeOf = (node: PageNode): string => attributeOf(node, 'type').toLowerCase()

/** A field that the user writes in. */
export function isTextField(node: PageNode): boolean {
  if (node.tag === 'textarea') return true
  return (
    node.tag === 'input' &&
    !/^(checkbox|radio|button|submit|reset|image|file|hidden|range|color)$/.test(typeOf(node))
  )
}

/** The pieces of the accessible name; none if it has no name. Spaces within a piece are certain. */
export function nameOf(node: PageNode): string[] {
  const labelled = attributeOf(node, 'aria-labelledby').trim()
  if (labelled) return labelled.split(/\s+/).flatMap((id) => piecesOf(findById(node, id)))
  const own = clean(attributeOf(node, 'aria-label'))
  if (own) return [own]
  const native = nativeName(node)
  if (native.length > 0) return native
  if (namedByContent.has(roleOf(node))) {
    const pieces = piecesOf(node)
    if (pieces.length > 0) return pieces
  }
  const title = clean(attributeOf(node, 'title'))
  return title ? [title] : []
}

function nativeName(node: PageNode): string[] {
  const { tag } = node
  if (tag === 'img' || (tag === 'input' && typeOf(node) === 'image')) return listOf(attributeOf(node, 'alt'))
  if (tag === 'input' && /^(button|submit|reset)$/.test(typeOf(node))) {
    const usual = { submit: 'Submit', reset: 'Reset' }[typeOf(node)] ?? ''
    return listOf(node.value ?? node.attributes.get('value') ?? usual)
  }
  if (tag === 'fieldset') return piecesOf(node.children.find((child) => child.tag === 'legend'))
  if (tag === 'input' || tag === 'textarea' || tag === 'select') return labelOf(node)
  return []
}

/** The text of the labels of a field. */
export function labelOf(field: PageNode): string[] {
  const around = [...aroundOf(field)].find(({ tag }) => tag === 'label')
  if (around) return piecesOf(around)
  const id = attributeOf(field, 'id')
  if (id === '') return []
  for (const element of elementsIn(documentOf(field)))
    if (element.tag === 'label' && attributeOf(element, 'for') === id) return piecesOf(element)
  return []
}

/** The field that a label is for. */
export function fieldOf(label: PageNode): PageNode | undefined {
  const id = attributeOf(label, 'for')
  if (id !== '') return findById(label, id)
  for (const element of elementsIn(label))
    if (/^(input|select|textarea|button)$/.test(element.tag)) return element
  return undefined
}

function findById(node: PageNode, id: string): PageNode | undefined {
  for (const element of elementsIn(documentOf(node))) if (attributeOf(element, 'id') === id) return element
  return undefined
}

/** Longer names are no help to a reader. */
const mostPieces = 40

/** The text in an element. A new piece begins where an element does, unless there is a space. */
export function piecesOf(root: PageNode | undefined): string[] {
  const pieces: string[] = []
  let open = ''
  const close = () => {
    const text = clean(open)
    if (text) pieces.push(text)
    open = ''
  }
  /** Between two elements without a space, styles decide whether there is one. */
  const border = () => {
    if (open !== '' && !/\s$/.test(open)) close()
  }
  const visit = (node: PageNode, isRoot: boolean) => {
    if (pieces.length >= mostPieces) return
    if (node.kind === 'text') {
      open += node.text
      return
    }
    if (!isRoot && (never.has(node.tag) || isHidden(node))) return
    const said = isRoot
      ? ''
      : attributeOf(node, 'aria-label') || (node.tag === 'img' ? attributeOf(node, 'alt') : '')
    const isField = /^(input|select|textarea)$/.test(node.tag)
    if (said || isField) {
      border()
      if (said) open += ` ${said} `
      return
    }
    if (!isRoot) border()
    for (const child of [...(node.shadow ? [node.shadow] : []), ...node.children]) visit(child, false)
    if (!isRoot) border()
  }
  if (root) visit(root, true)
  close()
  return pieces
}

/** By what needs no style sheet. */
export function isHidden(node: PageNode): boolean {
  if (node.kind !== 'element') return false
  return (
    node.attributes.has('hidden') ||
    node.isClosed ||
    attributeOf(node, 'aria-hidden') === 'true' ||
    (node.tag === 'dialog' && !node.attributes.has('open')) ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributeOf(node, 'style'))
  )
}

export const clean = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ').trim()
const listOf = (text: string): string[] => (clean(text) ? [clean(text)] : [])

/** Recorders replace every character of masked text: `x` (Telltale, Datadog), `*` (rrweb) or a bullet. */
export const isMasked = (text: string): boolean => /^[\sx*•]+$/i.test(text) && /\S/.test(text)
