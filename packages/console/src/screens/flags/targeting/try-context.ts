// The context of a trial evaluation, as fields and as JSON: two views of the same data.

export interface ContextField {
  readonly name: string
  /** Parses typed text: numbers, `true`, `false` and JSON as such, everything else as text. */
  readonly text: string
}

export function contextOf(targetingKey: string, fields: readonly ContextField[]): Record<string, unknown> {
  const named = fields.filter(({ name }) => name.trim() !== '')
  return {
    ...(targetingKey === '' ? {} : { targetingKey }),
    ...Object.fromEntries(named.map(({ name, text }) => [name.trim(), readText(text)])),
  }
}

/** Undefined unless it is a JSON object. */
export function parseContext(json: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(json)
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

export function fieldsOf(context: Record<string, unknown>): { targetingKey: string; fields: ContextField[] } {
  const { targetingKey, ...rest } = context
  return {
    targetingKey: typeof targetingKey === 'string' ? targetingKey : '',
    fields: Object.entries(rest).map(([name, value]) => ({ name, text: textOf(value) })),
  }
}

function readText(text: string): unknown {
  const trimmed = text.trim()
  if (!/^(-?\d|true$|false$|null$|[{["])/.test(trimmed)) return text
  try {
    return JSON.parse(trimmed)
  } catch {
    return text
  }
}

/** Quotes text that would otherwise be parsed as another type. */
function textOf(value: unknown): string {
  if (typeof value === 'string' && readText(value) === value) return value
  return JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
