import { randomUUID } from 'node:crypto'
import { calls } from '@telltale/core/contract/calls'
import { UsageError } from '../command/read-arguments.ts'
import { projectVerb } from '../command/remote-verb.ts'

const types = ['boolean', 'string', 'number', 'json'] as const

export const flagsCreate = projectVerb({
  name: 'flags create',
  group: 'flags',
  does: 'creates a flag, off in every environment',
  more: 'A boolean flag needs no variations. Values are JSON; a value of a string flag may be written without quotes.',
  takes: [{ name: 'FLAG' }],
  options: {
    name: { value: 'NAME', does: 'its name, the key by default' },
    type: { value: 'TYPE', does: 'the type of its values, boolean by default', oneOf: types },
    variation: { value: 'KEY=VALUE', does: 'a variation', isMany: true },
    description: { value: 'TEXT', does: 'what it is for' },
    tag: { value: 'TAG', does: 'a tag', isMany: true },
    browsers: { does: 'makes its value available to browsers' },
  },
  async run({ server, project, argument, text, texts, isSet, show }) {
    const key = argument(0)
    const valueType = types.find((type) => type === text('type')) ?? 'boolean'
    const variations = texts('variation').map((given) => readVariation(given, valueType))
    if (valueType !== 'boolean' && variations.length === 0)
      throw new UsageError(`A ${valueType} flag needs variations: --variation KEY=VALUE.`)
    const description = text('description')
    const flag = await server.request(calls.flags.createFlag, {
      params: { project },
      body: {
        key,
        name: text('name') ?? key,
        valueType,
        clientVisible: isSet('browsers'),
        ...(variations.length > 0 && { variations }),
        ...(description !== undefined && { description }),
        ...(texts('tag').length > 0 && { tags: [...texts('tag')] }),
      },
      idempotencyKey: randomUUID(),
    })
    show(flag, () => `Created ${flag.key}, off in every environment.`)
  },
})

function readVariation(given: string, valueType: (typeof types)[number]) {
  const [key = '', ...rest] = given.split('=')
  if (rest.length === 0) throw new UsageError(`--variation is KEY=VALUE, not "${given}".`)
  const value = rest.join('=')
  return { key, value: valueType === 'string' ? readText(value) : readJson(value, given) }
}

function readText(value: string): unknown {
  const read = tryJson(value)
  return typeof read === 'string' ? read : value
}

function readJson(value: string, given: string): unknown {
  const read = tryJson(value)
  if (read === undefined) throw new UsageError(`The value of --variation ${given} is not JSON.`)
  return read
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
