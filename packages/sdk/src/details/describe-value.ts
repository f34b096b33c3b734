// An argument of a console message as text: JSON for objects, bounded in depth, members and length. Runs no getter of
// the page, and shows elements by their selector alone, because their content may be masked.

import { isSecretName } from '@telltale/core/telemetry/secrets'
import { selectorOf } from '../browser/describe-element.ts'
import { cleanNumber, cleanPart, hideValue, type Named } from './clean-value.ts'

const deepest = 4
const membersAtMost = 50
/** Of one argument, all levels together. */
const valuesAtMost = 400
const longestString = 2_000
const longestArgument = 4_000

interface Walk {
  named: Named
  left: number
  readonly open: Set<object>
}

export function describeValue(value: unknown, named: Named): string {
  const plain = plainOf(value, { named, left: valuesAtMost, open: new Set() }, 0)
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain)
  return text.length > longestArgument ? `${text.slice(0, longestArgument)}…` : text
}

function plainOf(value: unknown, walk: Walk, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return cleanPart(value, depth === 0 ? longestArgument : longestString, walk.named)
    case 'number':
      return Number.isFinite(value) ? cleanNumber(value, walk.named) : String(value)
    case 'boolean':
      return value
    case 'bigint':
      return cleanPart(`${value}n`, longestString, walk.named)
    case 'function':
      return 'function'
    case 'object':
      return value === null ? null : objectOf(value, walk, depth)
    default:
      return String(value)
  }
}

function objectOf(value: object, walk: Walk, depth: number): unknown {
  const special = specialOf(value, walk.named)
  if (special !== undefined) return special
  if (walk.open.has(value)) return '[circular]'
  if (depth >= deepest || --walk.left < 0) return Array.isArray(value) ? `Array(${value.length})` : '{…}'
  walk.open.add(value)
  const plain = membersOf(value, (member) => plainOf(member, walk, depth + 1), walk.named)
  walk.open.delete(value)
  return plain
}

/** What is shown as one text. */
function specialOf(value: object, named: Named): string | undefined {
  if (value instanceof Error) {
    const { name, message, stack } = value
    const head = `${name}: ${message}`
    return cleanPart(`${stack ?? ''}`.includes(message) ? `${stack}` : head, longestArgument, named)
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof RegExp) return cleanPart(String(value), longestString, named)
  if (value instanceof Element) return `<${selectorOf(value) ?? value.localName}>`
  if (value instanceof Node) return value.nodeName
  if (value instanceof Promise) return 'Promise'
  if (value instanceof Blob) return `Blob(${value.size})`
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `bytes(${value.byteLength})`
  return undefined
}

function membersOf(value: object, plain: (member: unknown) => unknown, named: Named): unknown {
  if (value instanceof Map) {
    const entries = [...Map.prototype.entries.call(value)].slice(0, membersAtMost)
    return entries.map(([key, member]) => [
      plain(key),
      typeof key === 'string' && isSecretName(key, named) ? hideValue(member) : plain(member),
    ])
  }
  if (value instanceof Set) return [...Set.prototype.values.call(value)].slice(0, membersAtMost).map(plain)
  const names = Object.keys(value)
  const shown = names.slice(0, membersAtMost)
  const read = (name: string) => {
    const found = Object.getOwnPropertyDescriptor(value, name)
    if (!found || !('value' in found)) return '(getter)'
    return isSecretName(name, named) ? hideValue(found.value) : plain(found.value)
  }
  const more = names.length > shown.length ? `${names.length - shown.length} more` : undefined
  if (Array.isArray(value)) return [...shown.map(read), ...(more ? [more] : [])]
  const entries = shown.map((name) => [cleanPart(name, longestString, named), read(name)])
  return Object.fromEntries(more ? [...entries, ['…', more]] : entries)
}
