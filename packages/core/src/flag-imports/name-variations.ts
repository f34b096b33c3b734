// Names the variations of a flag by their values, so that every import gives the same value the same key.

import { slugOf } from '../evaluation/flagsmith/name-keys.ts'
import { finishHash, startHash } from '../evaluation/murmur3.ts'
import { valueText } from '../evaluation/variations-of-value.ts'
import { isKey } from '../keys.ts'
import { limits } from '../limits.ts'
import type { ImportedVariation, ValueType } from './imported.ts'

export interface NamedVariations {
  valueType: ValueType
  variations: ImportedVariation[]
  /** The key of a value that was among the given ones. */
  keyOf(value: unknown): string
}

/** The type that all values have. */
export function typeOfValues(values: readonly unknown[]): ValueType {
  const types = new Set(values.map((value) => typeof value))
  const [type] = types
  return types.size === 1 && (type === 'boolean' || type === 'string' || type === 'number') ? type : 'json'
}

export const onOff: readonly ImportedVariation[] = [
  { key: 'off', name: 'Off', value: false },
  { key: 'on', name: 'On', value: true },
]

export function nameVariations(values: readonly unknown[]): NamedVariations {
  const valueType = typeOfValues(values)
  const byText = new Map<string, ImportedVariation>()
  if (valueType === 'boolean') for (const each of onOff) byText.set(textOf(each.value), each)
  for (const value of values) {
    const text = textOf(value)
    if (byText.has(text)) continue
    const wanted = keyOfValue(value)
    const isTaken = [...byText.values()].some(({ key }) => key === wanted)
    byText.set(text, { key: isTaken ? `value-${hashOf(value)}` : wanted, name: nameOf(value), value })
  }
  const keyOf = (value: unknown) => byText.get(textOf(value))?.key ?? keyOfValue(value)
  return { valueType, variations: [...byText.values()], keyOf }
}

const textOf = (value: unknown) => valueText(value) ?? 'null'

function nameOf(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : textOf(value)
  return text.slice(0, limits.nameLength).trim() || 'Empty'
}

/** Readable where the value is a valid key; otherwise with a hash, which keeps keys of different values apart. */
function keyOfValue(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const text = String(value)
    if (isKey(text)) return text
    const slug = slugOf(text).slice(0, limits.keyLength - 9)
    return slug === '' ? `value-${hashOf(value)}` : `${slug}-${hashOf(value)}`
  }
  return value === null ? 'no-value' : `value-${hashOf(value)}`
}

function hashOf(value: unknown): string {
  return (finishHash(startHash(''), textOf(value)) >>> 0).toString(16).padStart(8, '0')
}
