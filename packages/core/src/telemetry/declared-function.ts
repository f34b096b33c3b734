// The name of the function declared at a position of source code. Source maps give the token at that position, which
// for an arrow function with one parameter and no parentheses is the parameter.

const keywords = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'with',
  'function',
  'return',
  'async',
  'await',
])

/** The position is the start of the declaration or of the name. */
const ahead: readonly RegExp[] = [
  /^(?:async\s+)?function\s*\*?\s*([\w$]+)/,
  /^(?:async\s+|get\s+|set\s+)?[*#]?([\w$]+)\s*(?:<[^<>()]*>)?\(/,
]
/** The position is the start of the parameters. */
const behind: readonly RegExp[] = [
  /\bfunction\s*\*?\s*([\w$]+)\s*(?:<[^()]*>)?$/,
  /([\w$]+)['"]?\s*(?::[^=(]*)?[=:]\s*(?:async\s*)?(?:function\s*\*?\s*)?\(?$/,
  /(?:^|[\s*#{;])([\w$]+)\s*(?:<[^<>()]*>)?$/,
]

/** `column` counts from 0. Empty for an anonymous function. */
export function declaredFunction(line: string, column: number): string {
  const [before, after] = [line.slice(0, column), line.slice(column)]
  const found = firstName(ahead, after) || firstName(behind, before)
  return keywords.has(found) ? '' : found
}

function firstName(patterns: readonly RegExp[], text: string): string {
  for (const pattern of patterns) {
    const name = pattern.exec(text)?.[1]
    if (name !== undefined) return name
  }
  return ''
}
