// A page as the events of the player leave it, as an indented text: an own reading of rrweb 2, against which ours is held.

interface Node {
  id: number
  line: string
  attributes: Map<string, string>
  text: string | undefined
  children: Node[]
  shadow: Node[] | undefined
  parent: Node | undefined
  notes: Map<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: what is read here is of any form, and the test fails where it is of another
type Json = any

export interface RebuiltPage {
  take(event: Json): void
  outline(): string[]
  /** Ids that nothing has. */
  readonly unknown: number
}

export function rebuildPage(): RebuiltPage {
  const nodes = new Map<number, Node>()
  const sheets = new Map<number, string>()
  let root: Node | undefined
  let unknown = 0
  const find = (id: number): Node | undefined => {
    const node = nodes.get(id)
    if (node === undefined) unknown++
    return node
  }
  const build = (given: Json, parent: Node | undefined): Node => {
    const { id, tagName, attributes = {}, childNodes = [], textContent } = given
    const line = given.type === 0 ? '#document' : given.type === 1 ? `#doctype ${given.name}` : tagName
    const node: Node = {
      ...{ id, line, parent, text: textContent, children: [], notes: new Map() },
      attributes: new Map(Object.entries<string>(attributes)),
      shadow: given.isShadowHost ? [] : undefined,
    }
    nodes.set(id, node)
    for (const child of childNodes) rowOf(node, child.isShadow).push(build(child, node))
    return node
  }
  const rowOf = (node: Node, isShadow: boolean | undefined) => {
    if (!isShadow) return node.children
    node.shadow ??= []
    return node.shadow
  }
  const mutate = ({ removes, adds, texts, attributes }: Json) => {
    for (const { id, parentId, isShadow } of removes) {
      const [node, parent] = [find(id), find(parentId)]
      if (node === undefined || parent === undefined) continue
      const row = rowOf(parent, isShadow)
      if (!row.includes(node)) unknown++
      else row.splice(row.indexOf(node), 1)
    }
    for (const { parentId, nextId, node } of adds) {
      const parent = find(parentId)
      const next = nextId === null ? undefined : find(nextId)
      if (parent === undefined) continue
      const row = rowOf(parent, node.isShadow)
      row.splice(next === undefined ? row.length : row.indexOf(next), 0, build(node, parent))
    }
    for (const { id, value } of texts) {
      const node = find(id)
      if (node !== undefined) node.text = value
    }
    for (const { id, attributes: changed } of attributes) {
      for (const [name, value] of Object.entries<string | null>(changed)) {
        if (value === null) find(id)?.attributes.delete(name)
        else find(id)?.attributes.set(name, value)
      }
    }
  }
  const adopt = ({ id, styleIds, styles = [] }: Json) => {
    for (const { styleId, rules } of styles) sheets.set(styleId, rules.map(({ rule }: Json) => rule).join(''))
    const length = styleIds.reduce((sum: number, style: number) => sum + (sheets.get(style) ?? '').length, 0)
    find(id)?.notes.set('adopted', String(length))
  }
  const write = (node: Node, depth: number, lines: string[]) => {
    const indent = '  '.repeat(depth)
    if (node.text !== undefined) {
      if (node.text.trim() !== '') lines.push(`${indent}${JSON.stringify(node.text.trim())}`)
      return
    }
    const shown = [...node.attributes].filter(([name]) => !name.startsWith('rr_') && name !== '_cssText')
    const isHidden = node.attributes.has('rr_width')
    const attributes = shown.filter(([name]) => !isHidden || name !== 'style')
    const css = node.attributes.get('_cssText')
    const size = ['rr_width', 'rr_height'].map((name) => Number.parseFloat(node.attributes.get(name) ?? ''))
    const value = node.notes.get('value')
    const scroll = ['rr_scrollLeft', 'rr_scrollTop'].map((name) => node.attributes.get(name))
    const parts = [
      ...[node.line, ...attributes.map(([name, text]) => `${name}=${JSON.stringify(text)}`)],
      ...(css === undefined ? [] : [`=css:${css.length}`]),
      ...(value === undefined ? [] : [`=value:${JSON.stringify(value)}`]),
      ...(scroll[0] === undefined ? [] : [`=scroll:${scroll.join(',')}`]),
      ...(isHidden ? [`=size:${size.join(',')}`] : []),
    ]
    lines.push(indent + parts.join(' '))
    if (node.shadow !== undefined) {
      const adopted = node.notes.get('adopted')
      lines.push(`${indent}  #shadow-root${adopted === undefined ? '' : ` =css:${adopted}`}`)
      for (const child of node.shadow) write(child, depth + 2, lines)
    }
    for (const child of node.children) write(child, depth + 1, lines)
  }
  return {
    take({ type, data }) {
      if (type === 2) {
        nodes.clear()
        sheets.clear()
        root = build(data.node, undefined)
      } else if (type === 3 && data.source === 0) mutate(data)
      else if (type === 3 && data.source === 5) find(data.id)?.notes.set('value', data.text)
      else if (type === 3 && data.source === 15) adopt(data)
      else if (type === 3 && data.id !== undefined && data.source !== 2) find(data.id)
    },
    outline() {
      const lines: string[] = []
      if (root !== undefined) write(root, 0, lines)
      return lines
    },
    get unknown() {
      return unknown
    },
  }
}
