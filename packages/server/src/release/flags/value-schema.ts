import type { Fault } from '@telltale/core/errors'
import { type TSchema, Type } from 'typebox'

type Part = 'text' | 'schema' | 'schemas' | 'named schemas' | 'plain'

/** Without regular expressions, because a malicious one could block the engine. */
const keywords = new Map<string, Part>([
  ...['$schema', '$id', '$comment', 'title', 'description'].map((name) => [name, 'text'] as const),
  ...['items', 'not', 'additionalProperties'].map((name) => [name, 'schema'] as const),
  ...['anyOf', 'oneOf', 'allOf'].map((name) => [name, 'schemas'] as const),
  ...['type', 'enum', 'const', 'required', 'default', 'examples'].map((name) => [name, 'plain'] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, 'plain'] as const),
  ...['multipleOf', 'minLength', 'maxLength'].map((name) => [name, 'plain'] as const),
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'].map(
    (name) => [name, 'plain'] as const,
  ),
  ['properties', 'named schemas'],
])

/** A plain JSON Schema with supported and safe keywords only. */
export function readValueSchema(schema: object): { schema: TSchema } | { faults: Fault[] } {
  const faults = faultsIn(schema, '/valueSchema')
  return faults.length > 0 ? { faults } : { schema: Type.Unsafe(schema) }
}

function faultsIn(schema: unknown, pointer: string): Fault[] {
  if (typeof schema === 'boolean') return []
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return [{ pointer, message: 'must be a JSON Schema' }]
  }
  return Object.entries(schema).flatMap(([name, value]) =>
    faultsOf(name, value, `${pointer}/${escaped(name)}`),
  )
}

function faultsOf(name: string, value: unknown, pointer: string): Fault[] {
  switch (keywords.get(name)) {
    case undefined:
      return [{ pointer, message: 'is an unsupported keyword' }]
    case 'schema':
      return faultsIn(value, pointer)
    case 'schemas':
      return Array.isArray(value)
        ? value.flatMap((each, index) => faultsIn(each, `${pointer}/${index}`))
        : [{ pointer, message: 'must be a list of schemas' }]
    case 'named schemas':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, each]) => faultsIn(each, `${pointer}/${escaped(key)}`))
        : [{ pointer, message: 'must name schemas' }]
    case 'text':
      return typeof value === 'string' ? [] : [{ pointer, message: 'must be text' }]
    default:
      return fitsKeyword(name, value) ? [] : [{ pointer, message: 'is invalid for its keyword' }]
  }
}

const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

function fitsKeyword(name: string, value: unknown): boolean {
  if (['const', 'default', 'examples'].includes(name)) return true
  if (name === 'uniqueItems') return typeof value === 'boolean'
  if (name === 'enum') return Array.isArray(value) && value.length > 0
  if (name === 'required') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (name === 'type') return isTypeName(value) || (Array.isArray(value) && value.every(isTypeName))
  return typeof value === 'number'
}

function isTypeName(value: unknown): boolean {
  return typeof value === 'string' && typeNames.includes(value)
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
