// The name of the function that encloses a line of source code, inferred from indentation because source maps do not
// contain it: a less indented line above encloses the line. Works for formatted code; other code yields no name.

const linesRead = 400
const longestLine = 300
const noFunctions = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'with',
  'return',
  'function',
  'else',
  'do',
  'try',
])

const headers: readonly RegExp[] = [
  /\bfunction\s*\*?\s*([\w$]+)\s*[(<]/,
  /\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)/,
  /^\s*['"]?([\w$]+)['"]?\s*[:=]\s*(?:async\s*)?(?:function\b|\([^()]*\)[^()=]*=>|[\w$]+\s*=>)/,
  /^(?!.*=>)\s*(?:(?:public|private|protected|static|override|async|get|set)\s+)*[*#]?([\w$]+)\s*(?:<[^<>()]*>)?\([^{}]*\{\s*$/,
]

/** `line` counts from 1. Empty when the line is in no function or the layout gives no answer. */
export function enclosingFunction(lines: readonly string[], line: number): string {
  let indent = indentOf(lines[line - 1] ?? '')
  for (let at = line - 2; at >= Math.max(0, line - linesRead) && indent > 0; at--) {
    const text = (lines[at] ?? '').slice(0, longestLine)
    const own = indentOf(text)
    if (text.trim() === '' || own >= indent) continue
    const name = nameIn(text)
    if (name !== '') return name
    // `} else {` and `): Order {` continue a block that starts further up at the same indentation.
    indent = /^\s*[)}\]]/.test(text) ? own + 1 : own
  }
  return ''
}

function nameIn(text: string): string {
  // A line that ends in a semicolon or comma is a call, not a function header.
  if (/[;,]\s*$/.test(text)) return ''
  for (const header of headers) {
    const name = header.exec(text)?.[1]
    if (name !== undefined && !noFunctions.has(name)) return name
  }
  return ''
}

function indentOf(text: string): number {
  let width = 0
  for (const letter of text) {
    if (letter === ' ') width += 1
    else if (letter === '\t') width += 4
    else break
  }
  return width
}
