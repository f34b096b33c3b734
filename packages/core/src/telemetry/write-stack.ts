// Stacks that clients send as lists of frames, written as browsers write stacks, so that source maps and the grouping of
// errors work the same for all clients.

import { type JsonObject, numberIn, textIn } from './json.ts'

const nameless = new Set(['', '?', '<anonymous>'])
const framesKept = 250

/** The innermost frame is the first; empty without frames. */
export function writeStack(head: string, frames: readonly JsonObject[]): string {
  const lines = frames.slice(0, framesKept).map(lineOf)
  return lines.length === 0 ? '' : [head, ...lines].join('\n')
}

function lineOf(frame: JsonObject): string {
  const file = textIn(frame, 'abs_path') ?? textIn(frame, 'filename') ?? '<anonymous>'
  const position = [numberIn(frame, 'lineno'), numberIn(frame, 'colno')].filter((part) => part !== undefined)
  const place = [file, ...position].join(':')
  const name = (textIn(frame, 'function') ?? '').replaceAll('\n', ' ')
  return nameless.has(name) ? `    at ${place}` : `    at ${name} (${place})`
}
