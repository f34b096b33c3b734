// Recorded text in the source of a test. It is anyone's: in a literal it must stay in it, and in a comment too.

/** Controls, ends of lines, lone surrogates, and what is not seen or changes the direction of text. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const escaped = (char: string) =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** A string literal in single quotes. */
export function literal(text: string): string {
  const inner = text
    .replace(/[\\']/g, (char) => `\\${char}`)
    .replace(/\n/g, '\\n')
    .replace(unsafe, escaped)
  return `'${inner}'`
}

const longestComment = 300

/** One line of a comment, without the slashes. */
export function inComment(text: string): string {
  const line = text.replace(unsafe, ' ').replace(/\s+/g, ' ').trim()
  return (line.length > longestComment ? `${line.slice(0, longestComment)}…` : line).replaceAll('*/', '* /')
}

/** A key of an object literal. `__proto__` would set the prototype unless it is computed. */
export function propertyName(name: string): string {
  if (name === '__proto__') return `[${literal(name)}]`
  return /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)
}

/** JSON as an expression, on one line. */
export function valueLiteral(value: unknown): string {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return `[${value.map(valueLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(
    ([name, member]) => `${propertyName(name)}: ${valueLiteral(member)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** A text as part of a regular expression literal. */
export function inPattern(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, (char) => `\\${char}`)
    .replace(/\n/g, '\\n')
    .replace(unsafe, escaped)
}
