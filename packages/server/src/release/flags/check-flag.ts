import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { compileCheck } from '../../platform/http/validate.ts'
import { readValueSchema } from './value-schema.ts'

interface CheckedValues {
  valueType: 'boolean' | 'string' | 'number' | 'json'
  variations: readonly { key: string; value: unknown }[]
  valueSchema: object | null
}

/**
 * Faults beyond the schema of the call: duplicate keys, values of another type, and values that violate the
 * value schema.
 */
export function checkValues(flag: CheckedValues): Fault[] {
  const { valueType, variations, valueSchema } = flag
  const keys = variations.map(({ key }) => key)
  const repeated = keys.flatMap((key, index) =>
    keys.indexOf(key) < index
      ? [{ pointer: `/variations/${index}/key`, message: 'is already the key of another variation' }]
      : [],
  )
  const unfit = variations.flatMap(({ value }, index) => checkValue(valueType, value, index))
  return [...repeated, ...unfit, ...checkOnOff(flag), ...checkAgainstSchema(valueSchema, variations)]
}

function checkValue(valueType: CheckedValues['valueType'], value: unknown, index: number): Fault[] {
  const pointer = `/variations/${index}/value`
  if (valueType !== 'json' && typeof value !== valueType) {
    return [{ pointer, message: `must be a ${valueType}` }]
  }
  const size = Buffer.byteLength(JSON.stringify(value))
  return size > limits.flagValueSize
    ? [{ pointer, message: `is larger than ${limits.flagValueSize} bytes` }]
    : []
}

function checkOnOff({ valueType, variations }: CheckedValues): Fault[] {
  if (valueType !== 'boolean') return []
  const isOnOff =
    variations.length === 2 &&
    variations.every(
      ({ key, value }) => (key === 'on' && value === true) || (key === 'off' && value === false),
    )
  return isOnOff ? [] : [{ pointer: '/variations', message: 'must be "on" and "off" for a boolean flag' }]
}

function checkAgainstSchema(
  valueSchema: CheckedValues['valueSchema'],
  variations: CheckedValues['variations'],
): Fault[] {
  if (valueSchema === null) return []
  const read = readValueSchema(valueSchema)
  if ('faults' in read) return read.faults

  const check = compileCheck(read.schema)
  return variations.flatMap(({ value }, index) => {
    const checked = check(value)
    if (!('faults' in checked)) return []
    return checked.faults.map(({ pointer, message }) => ({
      pointer: `/variations/${index}/value${pointer}`,
      message,
    }))
  })
}
