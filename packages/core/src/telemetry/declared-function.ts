// The name of the function that begins at a place of source code. Source maps name what stands there: of a function with one
// parameter and no brackets, the parameter.

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

/** The place is the beginning of it, or of its name. */
const ahead: readonly RegExp[] = [
  /^(?:async\s+)?function\s*\*?\s*([\w$]+)/,
  /^(?:async\s+|get\s+|set\s+)?[*#]?([\w$]+)\s*(?:<[^<>()]*>)?\(/,
]
/** It is where its parameters begin. */
const behind: readonly RegExp[] = [
  /\bfunction\s*\*?\s*([\w$]+)\s*(?:<[^()]*>)?$/,
  /([\w$]+)['"]?\s*(?::[^=(]*)?[=:]\s*(?:async\s*)?(?:function\s*\*?\s*)?\(?$/,
  /(?:^|[\s*#{;])([\w$]+)\s*(?:<[^<>()]*>)?$/,
]

/** `column` counts from 0. Empty for a function without a name. */
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
