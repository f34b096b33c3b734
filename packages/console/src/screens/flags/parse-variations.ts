import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'

export type ValueType = 'boolean' | 'string' | 'number' | 'json'

interface Variation {
  key: string
  value: unknown
}

export const startingLines: Record<ValueType, string> = {
  boolean: '',
  string: 'control = Hello\ntreatment = Welcome',
  number: 'control = 10\ntreatment = 20',
  json: 'control = {"columns": 2}\ntreatment = {"columns": 3}',
}

/** Variations as people type them, `key = value` on each line; or what is wrong with the first faulty line. */
export function parseVariations(
  valueType: ValueType,
  lines: string,
): { variations: Variation[] } | { fault: string; variations: [] } {
  const variations: Variation[] = []
  const refuse = (fault: string): { fault: string; variations: [] } => ({ fault, variations: [] })
  if (valueType === 'boolean') return { variations }

  for (const [index, line] of lines.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf('=')
    const key = line.slice(0, at < 0 ? undefined : at).trim()
    if (at < 0 || !isKey(key)) return refuse(`Line ${index + 1} needs a key, an equals sign and a value.`)
    if (variations.some((variation) => variation.key === key)) return refuse(`“${key}” is there twice.`)
    const value = parseValue(valueType, line.slice(at + 1).trim())
    if (value === undefined)
      return refuse(`The value of “${key}” is no ${valueType === 'json' ? 'JSON' : 'number'}.`)
    variations.push({ key, value })
  }
  if (variations.length === 0) return refuse('Enter at least one variation.')
  return variations.length > limits.variationsPerFlag
    ? refuse(`A flag has at most ${limits.variationsPerFlag} variations.`)
    : { variations }
}

/** Undefined for what is no value of the type. */
function parseValue(valueType: ValueType, text: string): unknown {
  if (valueType === 'string') return text
  if (valueType === 'number') return text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
