// The operations of a PATCH (RFC 7644, 3.5.2), in the forms in which identity providers send them: `op` in any letter
// case, values without a path, and paths as the names of such values.

import { limits } from '../limits.ts'
import { parsePath, type ScimFilter } from './filter.ts'
import { invalid } from './scim-error.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const verbs = ['add', 'replace', 'remove'] as const

/** The change of one attribute. */
export interface ScimChange {
  op: (typeof verbs)[number]
  /** In lower case. */
  attribute: string
  where: ScimFilter | undefined
  value: unknown
}

export function readPatch(body: unknown): ScimChange[] {
  const operations = memberOf(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0) {
    throw invalid('invalidSyntax', 'A PATCH needs "Operations" with at least one operation.')
  }
  if (operations.length > limits.scimOperations) {
    throw invalid('tooMany', `A PATCH has at most ${limits.scimOperations} operations.`)
  }
  return operations.flatMap(readOperation)
}

function readOperation(operation: unknown): ScimChange[] {
  const given = memberOf(operation, 'op')
  const op = verbs.find((verb) => typeof given === 'string' && given.toLowerCase() === verb)
  if (op === undefined) throw invalid('invalidSyntax', '"op" must be add, replace or remove.')
  const path = memberOf(operation, 'path')
  const value = memberOf(operation, 'value')
  if (typeof path === 'string' && path.trim() !== '') return [{ op, ...pathOf(path), value }]
  if (path !== undefined && path !== null && path !== '')
    throw invalid('invalidPath', '"path" must be a text.')
  if (op === 'remove') throw invalid('noTarget', 'A removal needs a path.')
  return changesOf(value, op)
}

function pathOf(path: string) {
  try {
    return parsePath(path)
  } catch {
    throw invalid('invalidPath', `The path cannot be read: ${path.slice(0, 200)}`)
  }
}

/** Each member of an object as a separate change. */
export function changesOf(value: unknown, op: ScimChange['op']): ScimChange[] {
  if (!isObject(value)) throw invalid('invalidValue', 'Without a path the value must be an object.')
  return Object.entries(value).map(([name, part]) => ({ op, ...attributeOf(name), value: part }))
}

/** Names of extensions are no paths, and no attributes that are kept. */
function attributeOf(name: string): Pick<ScimChange, 'attribute' | 'where'> {
  if (/^urn:(?!ietf:params:scim:schemas:core:)/i.test(name)) {
    return { attribute: name.toLowerCase(), where: undefined }
  }
  return pathOf(name)
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Members of objects are named in any letter case. */
export function memberOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name)
  return found?.[1]
}
