// Removes from recorded events what must not leave the page, before they are written anywhere: by the privacy level,
// and by `data-telltale-mask`. Masking extends into frames and shadow trees.

import { cleanUrl } from '../clean.ts'
import { createNodeMask, forgetTyped, isField, type MaskOptions, sheetCleaner } from './mask-node.ts'
import { maskDeclared, maskText } from './mask-text.ts'
import { type Context, createMasking, hidden } from './masking.ts'
import { type PageAttributes, type PageChange, type PageEvent, sources, types } from './page-event.ts'
import { blockSelector, ignoreMark, isElement, isLeftOut, isWithin, parentOf } from './page-tree.ts'

/** Values that are compared with what follows. */
const newsKept = 5_000
const longestNews = 200
const svg = 'http://www.w3.org/2000/svg'

/** Modifies the event in place. False: drop the event. */
export function createMask(options: MaskOptions): (event: PageEvent) => boolean {
  const { level, nodeOf } = options
  const isStrict = level === 'mask-all'
  const keepsQuery = level === 'allow'
  const cleanSheet = sheetCleaner(level)
  const masking = createMasking(options)
  const mask = createNodeMask(options, masking)
  const isNews = createNews()
  const blocked = blockSelector(options.rules)

  /** Of the node's content. */
  const contextOf = (node: Node): Context => {
    const path: Element[] = []
    for (let at: Node | null = node; at; at = parentOf(at)) if (isElement(at)) path.push(at)
    return path.reduceRight((context, element) => masking.inside(element, context), masking.root)
  }
  const isIgnored = (node: Node | null) => isWithin(node, (at) => at.hasAttribute(ignoreMark))
  // Removed nodes cannot be inspected any more.
  const isMarked = (node: Node | null) => (node ? (contextOf(node) & hidden) > 0 : level !== 'allow')
  const maskNodes = (data: PageChange) => {
    const isKept = ({ id }: { id: number }) => !isLeftOut(nodeOf(id), blocked)
    data.adds = data.adds?.filter(({ parentId }) => isKept({ id: parentId })) ?? []
    data.texts = data.texts?.filter(isKept) ?? []
    data.attributes = data.attributes?.filter(isKept) ?? []
    for (const { parentId, node } of data.adds) {
      const parent = nodeOf(parentId)
      const tag = isElement(parent) ? parent.localName : ''
      if (!node) continue
      mask.node(node, { context: parent ? contextOf(parent) : hidden, tag })
      if (isStrict)
        for (const [name, value] of Object.entries(node.attributes ?? {})) isNews(node.id, name, value)
    }
    for (const text of data.texts) {
      const node = nodeOf(text.id)
      if (!text.value || !isMarked(node)) continue
      const isStyle = isElement(node?.parentNode) && node.parentNode.localName === 'style'
      text.value = (isStyle ? cleanSheet : maskText)(text.value)
    }
    for (const { id, attributes } of data.attributes) maskChanged(nodeOf(id), attributes)
    // A masked clock shows the same text all day.
    if (isStrict) {
      data.texts = data.texts.filter(({ id, value }) => isNews(id, 'text', value))
      data.attributes = data.attributes.filter(({ id, attributes }) => {
        for (const [name, value] of Object.entries(attributes))
          if (!isNews(id, name, value)) delete attributes[name]
        return Object.keys(attributes).length > 0
      })
    }
    return [data.adds, data.texts, data.attributes, data.removes].some((list) => list?.length)
  }
  const maskChanged = (node: Node | null, attributes: PageAttributes) => {
    const tag = isElement(node) ? node.localName : ''
    if (isElement(node) && attributes.popover !== undefined) options.onPopover(node, attributes)
    // Only the value of a field is masked: its position and appearance may be shown.
    const isHidden = isMarked(isField(tag) ? (node?.parentNode ?? null) : node)
    const isSvg = isElement(node) && node.namespaceURI === svg
    mask.attributes(attributes, { tag, isSvg, isHidden, of: { ...attributesOf(node), ...attributes } })
    if (isField(tag) && isIgnored(node)) forgetTyped(attributes)
  }
  const maskInput = (data: PageChange) => {
    const node = nodeOf(data.id ?? -1)
    if (isIgnored(node)) return false
    const tag = isElement(node) ? node.localName : 'input'
    if (data.text && mask.isHeldBack(tag, attributesOf(node), isMarked(node))) data.text = maskText(data.text)
    if (!keepsQuery) data.isChecked = false
    return true
  }
  const maskStyles = (data: PageChange) => {
    for (const each of [...(data.adds ?? []), ...(data.styles ?? []).flatMap(({ rules }) => rules)]) {
      if (each.rule) each.rule = cleanSheet(each.rule)
    }
    if (data.replace) data.replace = cleanSheet(data.replace)
    if (data.replaceSync) data.replaceSync = cleanSheet(`${data.replaceSync}`)
    if (data.set && isStrict) data.set.value = maskDeclared(data.set.property, data.set.value)
  }
  return ({ type, data }) => {
    if (type === types.page && data.node) mask.node(data.node, { context: masking.root, tag: '' })
    // The session's views contain the URL, at the environment's privacy level.
    if (type === types.address) data.href = keepsQuery ? cleanUrl(`${data.href}`, true) : location.origin
    if (type !== types.change) return true
    if (data.source === sources.nodes) return maskNodes(data)
    if (data.id !== undefined && isLeftOut(nodeOf(data.id), blocked)) return false
    if (data.source === sources.input) return maskInput(data)
    maskStyles(data)
    return true
  }
}

/**
 * Whether a value differs from the last one reported. Only changed values are stored; the least recently changed are
 * evicted.
 */
function createNews() {
  const told = new Map<string, string>()
  return (id: number, name: string, value: unknown) => {
    const place = `${id} ${name}`
    // A partial style change does not determine the rest.
    if (typeof value !== 'string' || value.length > longestNews) {
      told.delete(place)
      return true
    }
    if (told.get(place) === value) return false
    told.set(place, value)
    if (told.size > newsKept) for (const oldest of told.keys()) return told.delete(oldest)
    return true
  }
}

function attributesOf(node: Node | null): PageAttributes {
  return isElement(node)
    ? Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))
    : {}
}
