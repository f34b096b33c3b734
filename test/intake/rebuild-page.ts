// A page as the operations of the player leave it, as an indented text: an own reading of them, against which ours is held.

interface Node {
  id: number
  line: string
  attributes: Map<string, string>
  text: string | undefined
  children: Node[]
  shadow: Node | undefined
  parent: Node | undefined
  state: Json
}

// biome-ignore lint/suspicious/noExplicitAny: what is read here is of any form, and the test fails where it is of another
type Json = any

export interface RebuiltPage {
  take(operation: Json): void
  outline(): string[]
  /** Ids that nothing has. */
  readonly unknown: number
}

const fields = new Set(['input', 'textarea', 'select'])

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
    const { id, kind, tag, attributes = {}, children = [], text, state = {}, shadow } = given
    const line = kind === undefined ? '#document' : kind === 'doctype' ? '#doctype html' : tag
    const node: Node = {
      id,
      line,
      parent,
      text,
      children: [],
      state,
      shadow: undefined,
      attributes: new Map(Object.entries<string>(attributes)),
    }
    nodes.set(id, node)
    if (shadow !== undefined) node.shadow = build(shadow, undefined)
    if (given.document !== undefined) build(given.document, undefined)
    node.children = children.map((child: Json) => build(child, node))
    return node
  }
  const insert = ({ parent: parentId, before, nodes: given }: Json) => {
    const parent = find(parentId)
    const next = before === null ? undefined : find(before)
    if (parent === undefined) return
    const index = next === undefined ? parent.children.length : parent.children.indexOf(next)
    parent.children.splice(index, 0, ...given.map((each: Json) => build(each, parent)))
  }
  const remove = (id: number) => {
    const node = find(id)
    const row = node?.parent?.children
    if (node === undefined || !row?.includes(node)) unknown++
    else row.splice(row.indexOf(node), 1)
  }
  const write = (node: Node, depth: number, lines: string[]) => {
    const indent = '  '.repeat(depth)
    if (node.text !== undefined) {
      if (node.text.trim() !== '') lines.push(`${indent}${JSON.stringify(node.text.trim())}`)
      return
    }
    const { sheet, value, scroll, box } = node.state
    const isTyped = fields.has(node.line) && value !== undefined && value !== node.attributes.get('value')
    const parts = [
      ...[node.line, ...[...node.attributes].map(([name, text]) => `${name}=${JSON.stringify(text)}`)],
      ...(sheet === undefined ? [] : [`=css:${sheet.length}`]),
      ...(isTyped ? [`=value:${JSON.stringify(value)}`] : []),
      ...(scroll === undefined || depth === 0 ? [] : [`=scroll:${scroll.x},${scroll.y}`]),
      ...(box === undefined ? [] : [`=size:${box.width},${box.height}`]),
    ]
    lines.push(indent + parts.join(' '))
    if (node.shadow !== undefined) {
      const adopted = node.shadow.attributes.get('adopted')
      lines.push(`${indent}  #shadow-root${adopted === undefined ? '' : ` =css:${adopted}`}`)
      for (const child of node.shadow.children) write(child, depth + 2, lines)
    }
    for (const child of node.children) write(child, depth + 1, lines)
  }
  const change = (operation: Json) => {
    // Sheets are adopted by a document or a shadow root: some recorders tell only that it is one of the two.
    const node = operation.do === 'adopt' ? nodes.get(operation.id) : find(operation.id)
    if (node === undefined) return
    const { name, value } = operation
    if (operation.do === 'text') node.text = operation.text
    // Only a node that was scrolled from the beginning is written as one.
    else if (operation.do === 'state')
      node.state = { ...node.state, ...operation.state, scroll: node.state.scroll }
    else if (operation.do === 'shadow') node.shadow ??= build(operation.shadow, undefined)
    else if (operation.do === 'adopt') {
      const length = operation.sheets.reduce(
        (sum: number, one: number) => sum + (sheets.get(one)?.length ?? 0),
        0,
      )
      node.attributes.set('adopted', String(length))
    } else if (value === null) node.attributes.delete(name)
    else node.attributes.set(name, value)
  }
  const changes = new Set(['text', 'attribute', 'state', 'shadow', 'adopt'])
  return {
    take(operation) {
      if (operation.do === 'page') {
        nodes.clear()
        root = build(operation.document, undefined)
      } else if (operation.do === 'document') {
        if (find(operation.id) !== undefined) build(operation.document, undefined)
      } else if (operation.do === 'insert') insert(operation)
      else if (operation.do === 'remove') operation.ids.forEach(remove)
      else if (operation.do === 'sheet' && operation.sheet.constructed !== undefined)
        sheets.set(operation.sheet.constructed, operation.text)
      else if (changes.has(operation.do)) change(operation)
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
