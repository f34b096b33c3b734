// Converts the client's stack format, `  at pay @ https://shop.example/app.js:1:2`, to the browsers' format, so that
// source maps and issue grouping work the same for all clients.

import { isObject, type JsonObject, listIn, textIn } from '../json.ts'

const separator = ' @ '
const frameStart = /^\s*at /
const argumentsAtEnd = /\([^()]*\)$/
const nameless = new Set(['', '?', '<anonymous>'])
const causesKept = 10

export function stackText(stack: string): string {
  if (!stack.includes(separator)) return stack
  return stack.split('\n').map(lineText).join('\n')
}

function lineText(line: string): string {
  const cut = frameStart.test(line) ? line.lastIndexOf(separator) : -1
  if (cut < 0) return line
  const place = line.slice(cut + separator.length).trim()
  const name = line.slice(0, cut).replace(frameStart, '').replace(argumentsAtEnd, '').trim()
  return nameless.has(name) ? `    at ${place}` : `    at ${name} (${place})`
}

/** The stack followed by the stacks of its causes. */
export function stackWithCauses(error: JsonObject): string {
  const own = stackText(textIn(error, 'stack') ?? '')
  const causes = listIn(error, 'causes').filter(isObject).slice(0, causesKept)
  const texts = causes.map((cause) => {
    const head = [textIn(cause, 'type'), textIn(cause, 'message')].filter((part) => part !== undefined)
    const stack = stackText(textIn(cause, 'stack') ?? '')
    return `Caused by: ${stack === '' ? head.join(': ') : stack}`
  })
  return [own, ...texts].filter((text) => text !== '').join('\n')
}
