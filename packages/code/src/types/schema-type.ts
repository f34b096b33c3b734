// The TypeScript type of the values that fit a JSON Schema. What TypeScript cannot say (patterns, ranges, `not`) is left
// out, so the type may be wider than the schema. It is narrower only where a schema describes members without a type.

/** Deeper parts of a schema, or of a value, become `unknown`. */
export const deepest = 12
/** References may unfold to far more than the schema has; those beyond this number become `unknown`. */
const mostReferences = 500

type Schema = Record<string, unknown>

/** `schema` is the text of a JSON Schema as it was stored; references are followed within it only. */
export function schemaType(schema: unknown): string {
  return typeOf(schema, { root: schema, depth: 0, within: [], left: { references: mostReferences } })
}

interface At {
  root: unknown
  depth: number
  /** The references that lead here: one that leads to itself becomes `unknown`. */
  within: readonly string[]
  left: { references: number }
}

function typeOf(schema: unknown, at: At): string {
  if (schema === false) return 'never'
  if (!isObject(schema) || at.depth > deepest) return 'unknown'
  const inner = { ...at, depth: at.depth + 1 }
  const parts = [
    typeof schema.$ref === 'string' ? referencedType(schema.$ref, inner) : undefined,
    ...partsOf(schema.allOf).map((part) => typeOf(part, inner)),
    unionOf(partsOf(schema.anyOf).map((part) => typeOf(part, inner))),
    unionOf(partsOf(schema.oneOf).map((part) => typeOf(part, inner))),
    ownType(schema, inner),
  ].filter((part) => part !== undefined && part !== 'unknown')
  const distinct = [...new Set(parts)]
  return distinct.length > 1 ? distinct.map((part) => `(${part})`).join(' & ') : (distinct[0] ?? 'unknown')
}

function referencedType(reference: string, at: At): string {
  if (at.within.includes(reference) || at.left.references === 0) return 'unknown'
  at.left.references -= 1
  return typeOf(findReference(reference, at.root), { ...at, within: [...at.within, reference] })
}

/** What the schema says about the value itself, without references and combinations. */
function ownType(schema: Schema, at: At): string | undefined {
  if ('const' in schema) return valueType(schema.const)
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map((value) => valueType(value)))
  const types = typeof schema.type === 'string' ? [schema.type] : partsOf(schema.type)
  if (types.length === 0) return impliedType(schema, at)
  const named = types.map((type) => namedType(type, schema, at))
  return unionOf(schema.nullable === true ? [...named, 'null'] : named)
}

/** A schema without a type may still describe members; other values fit it as well, which TypeScript users do not expect. */
function impliedType(schema: Schema, at: At): string | undefined {
  if (isObject(schema.properties)) return objectType(schema, at)
  if ('items' in schema || 'prefixItems' in schema) return arrayType(schema, at)
  return undefined
}

function namedType(type: unknown, schema: Schema, at: At): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type
    case 'integer':
      return 'number'
    case 'array':
      return arrayType(schema, at)
    case 'object':
      return objectType(schema, at)
    default:
      return 'unknown'
  }
}

function arrayType(schema: Schema, at: At): string {
  const first = partsOf(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined))
  const items = first.length === 0 ? schema.items : undefined
  return items === undefined ? 'unknown[]' : `Array<${typeOf(items, at)}>`
}

function objectType(schema: Schema, at: At): string {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = new Set(partsOf(schema.required))
  const members = properties.map(
    ([name, value]) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(value, at)}`,
  )
  const others = isObject(schema.patternProperties) ? true : schema.additionalProperties
  if (properties.length === 0) {
    return others === false ? 'Record<string, never>' : `Record<string, ${typeOf(others, at)}>`
  }
  if (others !== false) members.push('[name: string]: unknown')
  return `{ ${members.join('; ')} }`
}

function findReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined
  let found = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A reference that is no address finds nothing.
    return part
  }
}

/** The type of exactly this value. */
export function valueType(value: unknown, depth = 0): string {
  if (depth > deepest) return 'unknown'
  if (Array.isArray(value)) return `[${value.map((each) => valueType(each, depth + 1)).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'unknown'
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${valueType(each, depth + 1)}`,
  )
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

/** Undefined for no types. */
export function unionOf(types: readonly string[]): string | undefined {
  const distinct = [...new Set(types)]
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ') || undefined
}

const partsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
