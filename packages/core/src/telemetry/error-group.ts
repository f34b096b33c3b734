// Which errors are one issue: the same type thrown through the same functions, wherever these stand in a new build, by their
// names in the code as people wrote it where source maps tell them. Without a stack, the same message apart from its numbers
// and ids.

import { readAddress } from './address.ts'
import { type Frame, parseStack } from './stack.ts'
import { hash64 } from './unit-hash.ts'

const framesCompared = 5
const charactersCompared = 300
/** What bundlers put into the names of files. */
const buildHash = /[.-][0-9a-zA-Z_-]{8,}(?=\.\w+$)/
const changing = /\b(?:0x[0-9a-f]+|[0-9a-f]{8,}|[0-9a-f-]{36}|\d+(?:\.\d+)?)\b|"[^"]*"|'[^']*'/gi

export interface GroupedError {
  environment: string
  type: string
  message: string
  stack: string
  /** What the application groups by, in place of all that. */
  fingerprint?: string | undefined
}

/**
 * What the intake writes down. In minified code a name is that of many functions, so the place in the bundle is part of it:
 * what is one issue nevertheless, `namedErrorGroup` and `mappedErrorGroup` say.
 */
export function errorGroup({ environment, type, message, stack, fingerprint }: GroupedError): string {
  if (fingerprint !== undefined) return hash64(`error\0${environment}\0fingerprint\0${fingerprint}`)
  const frames = framesOf(stack)
  const [first] = frames
  const where = first === undefined ? messageOf(message) : frames.map(nameOf).join('\n')
  const place = first !== undefined && isMinified(first) ? `\0${first.line}:${first.column}` : ''
  return hash64(`error\0${environment}\0${type}\0${where}${place}`)
}

/** The same in every build that has the same names. */
export function namedErrorGroup({ environment, type, message, stack }: GroupedError): {
  group: string
  isMinified: boolean
} {
  const frames = framesOf(stack)
  const [first] = frames
  const where = first === undefined ? messageOf(message) : frames.map(nameOf).join('\n')
  const group = hash64(`error\0${environment}\0${type}\0${where}`)
  return { group, isMinified: first !== undefined && isMinified(first) }
}

const framesOf = (stack: string) =>
  parseStack(stack)
    .filter(({ file }) => file !== '')
    .slice(0, framesCompared)

const messageOf = (message: string) => message.slice(0, charactersCompared).replace(changing, '*')

/** `async Wr`, `Object.t`, `he/<`: nobody writes such names, and a bundle gives each to many functions. */
function isMinified({ function: name, line }: Frame): boolean {
  const last = name.split(/[\s./<]+/).findLast((part) => part !== '') ?? ''
  return last.length <= 2 || (last === 'anonymous>' && line <= 2)
}

/** A frame, and what a source map says of it. */
export interface PlacedFrame extends Frame {
  original: { function: string; file: string; line: number; text: string } | null
}

/** The same of a stack that was mapped; nothing when no frame that counts was. */
export function mappedErrorGroup(
  { environment, type }: Pick<GroupedError, 'environment' | 'type'>,
  placed: readonly PlacedFrame[],
): string | undefined {
  const loaded = placed.filter(({ file }) => file !== '')
  const own = loaded.filter(({ original }) => original !== null && !isLibrary(original.file))
  // Another version of a library is no other error.
  const frames = (own.length > 0 ? own : loaded).slice(0, framesCompared)
  if (frames.every(({ original }) => original === null)) return undefined
  const where = frames.map((frame) => placeOf(frame)).join('\n')
  return hash64(`mapped error\0${environment}\0${type}\0${where}`)
}

export const isLibrary = (file: string) => file.includes('node_modules/')

function placeOf({ original, ...frame }: PlacedFrame): string {
  if (original === null) return nameOf(frame)
  const { function: name, file, line, text } = original
  // Where a build begins to count its folders is its own business.
  const path = file.slice(0, charactersCompared).replace(/^(?:[a-z-]+:\/\/[^/]*)?[./]*/, '')
  return `${name || text.slice(0, charactersCompared) || line} ${path}`
}

function nameOf({ function: name, file, line }: Frame): string {
  const path = readAddress(file.slice(0, charactersCompared)).path.replace(buildHash, '')
  // Without a name, the line is all that tells one function of a file from another.
  return name === '' || name === '<anonymous>' ? `${path}:${line}` : `${name} ${path}`
}
