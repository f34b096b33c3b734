// Parses JavaScript stacks in the formats of Chromium, Firefox and Safari, innermost frame first. Avoids backtracking
// expressions because stacks are untrusted input.

export interface Frame {
  /** Empty for an anonymous function. */
  function: string
  /** As written by the browser; empty for native code. */
  file: string
  line: number
  column: number
}

const framesRead = 250
const longestLine = 1_000
const ownCode = new Set(['native', '<anonymous>', '[native code]', 'native code'])

export function parseStack(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n', framesRead + 10)) {
    const frame = line.length > longestLine ? undefined : parseLine(line.trim())
    if (frame !== undefined) frames.push(frame)
  }
  return frames.slice(0, framesRead)
}

/**
 * The components that React was rendering. Host elements between them have no position: `at div (<anonymous>)`,
 * `at div`, `div@unknown:0:0`.
 */
export function parseComponentStack(stack: string): Frame[] {
  return parseStack(stack.replace(/^([ \t]*)(?:at )?([\w.-]+)(?:@unknown:0:0)?$/gm, '$1at $2 (<anonymous>)'))
}

/** `at Checkout.pay (https://shop.example/app.js:1:2)`, `at https://shop.example/app.js:1:2`, `pay@https://shop.example/app.js:1:2` */
function parseLine(line: string): Frame | undefined {
  if (line.startsWith('at ')) {
    const text = line.startsWith('at async ') ? line.slice(9) : line.slice(3)
    const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1
    return open < 0 ? frameOf('', text) : frameOf(text.slice(0, open), text.slice(open + 2, -1))
  }
  const at = line.indexOf('@')
  const place = line.slice(at + 1)
  // A message may contain an @, but rarely followed by a URL.
  return at >= 0 && isPlace(place) ? frameOf(line.slice(0, at), place) : undefined
}

const isPlace = (text: string) =>
  /^(?:[a-z][a-z0-9+.-]{0,30}:\/\/|\[native code\]|\/|debugger eval)/i.test(text)

function frameOf(name: string, place: string): Frame {
  const [rest, last] = cutNumber(place)
  const [file, first] = last === undefined ? [rest, undefined] : cutNumber(rest)
  const [line, column] = first === undefined ? [last, undefined] : [first, last]
  return { function: name, file: ownCode.has(file) ? '' : file, line: line ?? 0, column: column ?? 0 }
}

/** Splits `app.js:12` into `app.js` and 12. */
function cutNumber(text: string): [rest: string, number: number | undefined] {
  const colon = text.lastIndexOf(':')
  const digits = text.slice(colon + 1)
  return colon > 0 && /^\d{1,9}$/.test(digits) ? [text.slice(0, colon), Number(digits)] : [text, undefined]
}
