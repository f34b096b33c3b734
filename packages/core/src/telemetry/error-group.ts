// Which errors are one issue: the same type and message shape at the same place, the innermost frame of the application's own
// code, whoever called it. Names of source maps win over those of a bundle, so a new build makes no new issue. Where no code
// of the application is on the stack, as of a library's failed request, message shape and endpoint take the place's place.

import { readAddress } from './address.ts'
import { messageShape } from './message-shape.ts'
import { type Frame, parseStack } from './stack.ts'
import { hash64 } from './unit-hash.ts'

const charactersCompared = 300
/** What bundlers put into the names of files. */
const buildHash = /[.-][0-9a-zA-Z_-]{8,}(?=\.\w+$)/
/** Thrown by the browser: each one words them differently, in another language even, so the place alone counts. */
const ofEngine = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'URIError',
  'InternalError',
])

export interface GroupedError {
  environment: string
  type: string
  message: string
  stack: string
  /** What the application groups by, in place of all that. */
  fingerprint?: string | undefined
  /** Method, host and endpoint of the request that failed. */
  request?: string | undefined
}

/**
 * What the intake writes down. In minified code a name is that of many functions, so the place in the bundle is part of it:
 * what is one issue nevertheless, `namedErrorGroup` and `mappedErrorGroup` say.
 */
export function errorGroup(error: GroupedError): string {
  const { environment, stack, fingerprint } = error
  if (fingerprint !== undefined) return hash64(`error\0${environment}\0fingerprint\0${fingerprint}`)
  const frame = ownFrame(loadedFrames(stack))
  const place = frame !== undefined && isMinified(frame) ? `${frame.line}:${frame.column}` : ''
  return hash64(`error 2\0${textOf(error, frame && nameOf(frame))}\0${place}`)
}

/** The same in every build that has the same names. */
export function namedErrorGroup(error: GroupedError): { group: string; isMinified: boolean } {
  const frame = ownFrame(loadedFrames(error.stack))
  const group = hash64(`error 2\0${textOf(error, frame && nameOf(frame))}`)
  return { group, isMinified: frame !== undefined && isMinified(frame) }
}

function textOf(
  { environment, type, message, request = '' }: GroupedError,
  place: string | undefined,
): string {
  if (place === undefined) return [environment, type, messageShape(message), request].join('\0')
  return [environment, type, ofEngine.has(type) ? '' : messageShape(message), place].join('\0')
}

const loadedFrames = (stack: string) => parseStack(stack).filter(({ file }) => file !== '')

const ownFrame = (frames: readonly Frame[]) => frames.find(({ file }) => !isLibrary(file))

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
export function mappedErrorGroup(error: GroupedError, placed: readonly PlacedFrame[]): string | undefined {
  const loaded = placed.filter(({ file }) => file !== '')
  if (loaded.every(({ original }) => original === null)) return undefined
  const own = loaded.find(({ original }) => original !== null && !isLibrary(original.file))
  const isAllOfLibraries = loaded.every(({ file, original }) => isLibrary(original?.file ?? file))
  if (own === undefined && !isAllOfLibraries) return undefined
  return hash64(`mapped error 2\0${textOf(error, own?.original ? placeOf(own.original) : undefined)}`)
}

/** Folders of dependencies, and the chunks that bundlers put them into; extensions of the browser. */
const library =
  /(?:^|[\\/])(?:node_modules|bower_components)[\\/]|[\\/](?:vendors?|polyfills?)(?:[-.~_][^\\/]*)?\.[cm]?js(?:$|[?#:])|^(?:chrome|moz|safari-web)-extension:/

export const isLibrary = (file: string) => library.test(file)

function placeOf({ function: name, file, line, text }: NonNullable<PlacedFrame['original']>): string {
  // Where a build begins to count its folders is its own business.
  const path = file.slice(0, charactersCompared).replace(/^(?:[a-z-]+:\/\/[^/]*)?[./]*/, '')
  return `${name || text.slice(0, charactersCompared) || line} ${path}`
}

function nameOf({ function: name, file, line }: Frame): string {
  const path = readAddress(file.slice(0, charactersCompared)).path.replace(buildHash, '')
  // Without a name, the line is all that tells one function of a file from another.
  return name === '' || name === '<anonymous>' ? `${path}:${line}` : `${name.replace(/^async /, '')} ${path}`
}
