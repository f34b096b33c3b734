// Groups errors into issues by type, message shape and place, which is the innermost frame of the application's code,
// whatever called it. Names from source maps take precedence over minified names, so a new build creates no new issue.
// When no application code is on the stack, as for a failed request of a library, message shape and endpoint are used.

import { readAddress } from './address.ts'
import { messageShape } from './message-shape.ts'
import { type Frame, parseStack } from './stack.ts'
import { hash64 } from './unit-hash.ts'

const charactersCompared = 300
/** Hashes that bundlers add to file names. */
const buildHash = /[.-][0-9a-zA-Z_-]{8,}(?=\.\w+$)/
/** Thrown by the engine: browsers word and even translate the messages differently, so only the place counts. */
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
  /** The application's own grouping key, which replaces all other criteria. */
  fingerprint?: string | undefined
  /** Method, host and endpoint of the request that failed. */
  request?: string | undefined
}

/**
 * The group that the intake stores. A minified name belongs to many functions, so the group then includes the position
 * in the bundle; `namedErrorGroup` and `mappedErrorGroup` find the groups that are the same issue.
 */
export function errorGroup(error: GroupedError): string {
  const { environment, stack, fingerprint } = error
  if (fingerprint !== undefined) return hash64(`error\0${environment}\0fingerprint\0${fingerprint}`)
  const frame = ownFrame(loadedFrames(stack))
  const place = frame !== undefined && isMinified(frame) ? `${frame.line}:${frame.column}` : ''
  return hash64(`error 2\0${textOf(error, frame && nameOf(frame))}\0${place}`)
}

/** The same in every build with the same names. */
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

/** `async Wr`, `Object.t`, `he/<`: names that only minifiers generate, and reuse for many functions of a bundle. */
function isMinified({ function: name, line }: Frame): boolean {
  const last = name.split(/[\s./<]+/).findLast((part) => part !== '') ?? ''
  return last.length <= 2 || (last === 'anonymous>' && line <= 2)
}

/** A frame with its original position from a source map. */
export interface PlacedFrame extends Frame {
  original: { function: string; file: string; line: number; text: string } | null
}

/** The group of a source-mapped stack; undefined when no relevant frame was mapped. */
export function mappedErrorGroup(error: GroupedError, placed: readonly PlacedFrame[]): string | undefined {
  const loaded = placed.filter(({ file }) => file !== '')
  if (loaded.every(({ original }) => original === null)) return undefined
  const own = loaded.find(({ original }) => original !== null && !isLibrary(original.file))
  const isAllOfLibraries = loaded.every(({ file, original }) => isLibrary(original?.file ?? file))
  if (own === undefined && !isAllOfLibraries) return undefined
  return hash64(`mapped error 2\0${textOf(error, own?.original ? locationOf(own.original) : undefined)}`)
}

/** Dependency folders, the chunks that bundlers create for them, and browser extensions. */
const library =
  /(?:^|[\\/])(?:node_modules|bower_components)[\\/]|[\\/](?:vendors?|polyfills?)(?:[-.~_][^\\/]*)?\.[cm]?js(?:$|[?#:])|^(?:chrome|moz|safari-web)-extension:/

export const isLibrary = (file: string) => library.test(file)

function locationOf({ function: name, file, line, text }: NonNullable<PlacedFrame['original']>): string {
  // Drop the prefix of the path, because it depends on the build's configuration.
  const path = file.slice(0, charactersCompared).replace(/^(?:[a-z-]+:\/\/[^/]*)?[./]*/, '')
  return `${name || text.slice(0, charactersCompared) || line} ${path}`
}

function nameOf({ function: name, file, line }: Frame): string {
  const path = readAddress(file.slice(0, charactersCompared)).path.replace(buildHash, '')
  // Without a name, only the line distinguishes the functions of a file.
  return name === '' || name === '<anonymous>' ? `${path}:${line}` : `${name.replace(/^async /, '')} ${path}`
}
