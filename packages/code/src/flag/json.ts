export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export function isJsonObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isName = /^[A-Za-z_$][\w$]*$/

/** The value as an expression, with the quotes of the file. */
export function printJson(value: Json | undefined, quote: string): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return printString(value, quote)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => printJson(item, quote)).join(', ')}]`
  const members = Object.entries(value).map(
    ([name, item]) => `${printName(name, quote)}: ${printJson(item, quote)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function printName(name: string, quote: string): string {
  // `__proto__: x` would set the prototype.
  if (name === '__proto__') return `[${quote}__proto__${quote}]`
  return isName.test(name) ? name : printString(name, quote)
}

export function isIdentifierName(text: string): boolean {
  return isName.test(text)
}

function printString(text: string, quote: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  if (quote === '"') return `"${escaped}"`
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
