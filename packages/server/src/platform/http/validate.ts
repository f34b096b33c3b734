// Validates input against the schema of its operation and lists every error with its location.

import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { toPointer } from './strict-json.ts'

// The default of 8 would hide errors.
Settings.Set({ maxErrors: limits.faultsListed })

export type Checked<Value> = { value: Value } | { faults: Fault[] }

export type Check<Schema extends TSchema> = (value: unknown) => Checked<Static<Schema>>

/** Compiled for the first value: most operations are not called after a start. */
export function compileCheck<Schema extends TSchema>(schema: Schema): Check<Schema> {
  const compile = () => Compile(schema)
  let compiled: ReturnType<typeof compile> | undefined

  return (value) => {
    compiled ??= compile()
    return compiled.Check(value) ? { value } : { faults: describe(compiled.Errors(value)) }
  }
}

interface SchemaError {
  keyword: string
  instancePath: string
  schemaPath: string
  params: object
  message: string
}

function describe(found: readonly SchemaError[]): Fault[] {
  const faults = found.flatMap(faultsOf)
  const alternatives = faults.filter((fault) => fault.message === noAlternative).map((fault) => fault.pointer)

  // A value that matches no alternative is one error, not one for each alternative.
  const kept = faults.filter(
    (fault) => fault.message === noAlternative || !alternatives.includes(fault.pointer),
  )
  const seen = new Set<string>()
  return kept
    .map((fault) => (fault.message === noAlternative ? { ...fault, message: 'is invalid' } : fault))
    .filter(({ pointer, message }) => {
      const line = `${pointer} ${message}`
      return seen.has(line) ? false : seen.add(line)
    })
}

const noAlternative = 'matches no alternative'

function faultsOf(error: SchemaError): Fault[] {
  const { keyword, instancePath: pointer, params } = error
  switch (keyword) {
    case 'required':
      return namesIn(params, 'requiredProperties').map((name) => ({
        pointer: pointer + toPointer([name]),
        message: 'is missing',
      }))
    case 'additionalProperties':
      return namesIn(params, 'additionalProperties').map((name) => ({
        pointer: pointer + toPointer([name]),
        message: 'is unknown',
      }))
    // Reports the same as `additionalProperties`, without the location.
    case 'boolean':
      return []
    case 'anyOf':
      return [{ pointer, message: noAlternative }]
    case 'enum':
      return [{ pointer, message: `must be one of ${listed(params)}` }]
    case 'format':
      return [{ pointer, message: formatMessage(params) }]
    default:
      return [{ pointer, message: error.message }]
  }
}

function namesIn(params: object, member: string): string[] {
  const names: unknown = new Map<string, unknown>(Object.entries(params)).get(member)
  return Array.isArray(names) ? names.map(String) : []
}

function listed(params: object): string {
  return namesIn(params, 'allowedValues').join(', ')
}

const formats = new Map([
  ['email', 'must be an e-mail address'],
  ['uuid', 'must be a UUID'],
  ['date-time', 'must be a date and time with a time zone (RFC 3339)'],
])

function formatMessage(params: object): string {
  const format: unknown = new Map<string, unknown>(Object.entries(params)).get('format')
  return formats.get(String(format)) ?? `must be a valid ${String(format)}`
}
