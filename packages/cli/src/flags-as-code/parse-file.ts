// One file of a folder: its content, and where each part of it is. YAML 1.2, of which JSON is a part.

import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

export interface Position {
  line: number
  column: number
}

export interface FileFault extends Position {
  file: string
  message: string
}

export interface ParsedFile {
  path: string
  content: unknown
  /** Of the value at this place; of its name if `name` is set; of the nearest part around it if it is not there. */
  positionOf(parts: readonly string[], name?: boolean): Position
}

/** References of anchors in one file; more would be an attack with nested ones. */
const aliases = 1_000

export function parseFile(path: string, text: string): ParsedFile | { faults: FileFault[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const wrong = [...document.errors, ...document.warnings]
  if (wrong.length > 0) {
    return { faults: wrong.map(({ pos, message }) => ({ file: path, ...at(pos[0]), message })) }
  }
  try {
    const content: unknown = document.toJS({ maxAliasCount: aliases })
    const positionOf = (parts: readonly string[], name = false) =>
      at(offsetOf(document.contents, { parts, name }))
    const infinite = findInfinite(content)
    if (infinite === undefined) return { path, content, positionOf }
    return { faults: [{ file: path, ...positionOf(infinite), message: 'is not a number that JSON knows' }] }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { faults: [{ file: path, line: 1, column: 1, message }] }
  }
}

function offsetOf(root: Node | null, { parts, name }: { parts: readonly string[]; name: boolean }): number {
  let offset = root?.range?.[0] ?? 0
  let node: unknown = root
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (isMap(node)) {
      const pair = node.items.find(
        (one) => isPair(one) && isScalar(one.key) && String(one.key.value) === part,
      )
      if (pair === undefined) return offset
      const value: unknown = pair.value
      const isNamed = !isScalar(value) || !isLast || name
      offset = startOf(isNamed ? pair.key : value) ?? offset
      node = value
    } else if (isSeq(node)) {
      node = node.items[Number(part)]
      offset = startOf(node) ?? offset
    } else {
      return offset
    }
  }
  return offset
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined
}

/** `.nan` and `.inf` are numbers in YAML. */
function findInfinite(value: unknown, parts: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : parts
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = findInfinite(member, [...parts, name])
    if (found !== undefined) return found
  }
  return undefined
}
