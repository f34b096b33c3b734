// Reads a typed value as one of the same type as the flag's: the application expects no other.

export type ReadValue = { value: unknown } | { fault: string }

export function readValue(text: string, like: unknown): ReadValue {
  if (typeof like === 'string') return { value: text }
  if (typeof like === 'number') {
    const value = Number(text.trim() || Number.NaN)
    return Number.isFinite(value) ? { value } : { fault: 'must be a number' }
  }
  try {
    const value: unknown = JSON.parse(text)
    if (like === undefined || kindOf(value) === kindOf(like)) return { value }
    return { fault: `must be ${names[kindOf(like)] ?? 'JSON'}` }
  } catch {
    return { fault: 'must be JSON' }
  }
}

const names: Record<string, string> = {
  boolean: 'true or false',
  array: 'a JSON list',
  object: 'a JSON object',
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

/** As it is typed. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'no value')
}
