// A declaration file with the keys and the types of flags: keys and defaults are then checked by the compiler.

import { deepest, isObject, schemaType, unionOf, valueType } from './schema-type.ts'

export interface TypedFlag {
  key: string
  name: string
  description: string
  valueType: 'boolean' | 'string' | 'number' | 'json'
  variations: readonly { key: string; value: unknown }[]
  /** A JSON Schema, or null. */
  valueSchema: unknown
}

export interface TypesOptions {
  /** Declares the keys for clients of OpenFeature as well. */
  openFeature?: boolean | undefined
}

/** The first line of the file. */
export const typesHeader = '// Written by `telltale types`. Run it again after flags changed.'

/** The text of a `.d.ts` file. The same flags, in any order, give the same text. */
export function writeTypes(flags: readonly TypedFlag[], { openFeature = false }: TypesOptions = {}): string {
  const sorted = [...flags].sort((a, b) => (a.key < b.key ? -1 : 1))
  const members = sorted.map(
    (flag) => `${commentOf(flag)}    ${JSON.stringify(flag.key)}: ${typeOfFlag(flag)}\n`,
  )
  return [
    `${typesHeader}\n`,
    'export {}\n',
    `declare global {\n  interface TelltaleFlagTypes {\n${members.join('')}  }\n}\n`,
    ...(openFeature ? [declareKeys(sorted)] : []),
  ].join('\n')
}

/** The keys by type, as the packages of OpenFeature allow to declare them. */
function declareKeys(flags: readonly TypedFlag[]): string {
  const keysOf = (type: TypedFlag['valueType']) =>
    unionOf(flags.filter((flag) => flag.valueType === type).map(({ key }) => JSON.stringify(key))) ?? 'never'
  return `declare module '@openfeature/core' {
  export type BooleanFlagKey = ${keysOf('boolean')}
  export type StringFlagKey = ${keysOf('string')}
  export type NumberFlagKey = ${keysOf('number')}
  export type ObjectFlagKey = ${keysOf('json')}
}
`
}

function typeOfFlag({ valueType: type, valueSchema, variations }: TypedFlag): string {
  if (type === 'boolean') return 'boolean'
  if (valueSchema !== null) return schemaType(valueSchema)
  const values = variations.map(({ value }) => value)
  if (type === 'json') return exampleType(values)
  return unionOf(values.map((value) => valueType(value))) ?? 'unknown'
}

/** The type of values such as these: the variations of a JSON flag without a schema are examples. */
function exampleType(values: readonly unknown[], depth = 0): string {
  if (depth > deepest) return 'unknown'
  const typeOf = (examples: readonly unknown[]) => exampleType(examples, depth + 1)
  const arrays = values.filter((value) => Array.isArray(value))
  const objects = values.filter(isObject)
  const types = new Set<string>(
    values
      .filter((value) => typeof value !== 'object' || value === null)
      .map((value) => (value === null ? 'null' : typeof value)),
  )
  if (arrays.length > 0) types.add(`Array<${typeOf(arrays.flat())}>`)
  if (objects.length > 0) {
    const names = [...new Set(objects.flatMap((each) => Object.keys(each)))]
    const members = names.map((name) => {
      const having = objects.filter((each) => Object.hasOwn(each, name))
      const mark = having.length === objects.length ? '' : '?'
      return `${JSON.stringify(name)}${mark}: ${typeOf(having.map((each) => each[name]))}`
    })
    types.add(members.length === 0 ? 'Record<string, unknown>' : `{ ${members.join('; ')} }`)
  }
  return [...types].join(' | ') || 'unknown'
}

function commentOf({ key, name, description }: TypedFlag): string {
  const text = name === key ? description : `${name}\n${description}`
  const lines = text.split(/\s*[\n\r\u2028\u2029]\s*/).filter((line) => line !== '')
  const [first, ...more] = lines.map((line) => line.replaceAll('*/', '*\\/'))
  if (first === undefined) return ''
  if (more.length === 0) return `    /** ${first} */\n`
  return `    /**\n${[first, ...more].map((line) => `     * ${line}\n`).join('')}     */\n`
}
