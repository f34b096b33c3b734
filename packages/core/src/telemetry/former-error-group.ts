// The error grouping used before errors were grouped by place and message. Existing issues and their states are found
// by it after an upgrade.

import { readAddress } from './address.ts'
import { type GroupedError, isLibrary, type PlacedFrame } from './error-group.ts'
import { type Frame, parseStack } from './stack.ts'
import { hash64 } from './unit-hash.ts'

const framesCompared = 5
const charactersCompared = 300
/** Hashes that bundlers add to file names. */
const buildHash = /[.-][0-9a-zA-Z_-]{8,}(?=\.\w+$)/
const changing = /\b(?:0x[0-9a-f]+|[0-9a-f]{8,}|[0-9a-f-]{36}|\d+(?:\.\d+)?)\b|"[^"]*"|'[^']*'/gi

export function formerErrorGroup({ environment, type, message, stack }: GroupedError): string {
  const frames = framesOf(stack)
  const [first] = frames
  const where = first === undefined ? messageOf(message) : frames.map(nameOf).join('\n')
  const place = first !== undefined && isMinified(first) ? `\0${first.line}:${first.column}` : ''
  return hash64(`error\0${environment}\0${type}\0${where}${place}`)
}

export function formerNamedGroup({ environment, type, message, stack }: GroupedError): string {
  const frames = framesOf(stack)
  const [first] = frames
  const where = first === undefined ? messageOf(message) : frames.map(nameOf).join('\n')
  return hash64(`error\0${environment}\0${type}\0${where}`)
}

const framesOf = (stack: string) =>
  parseStack(stack)
    .filter(({ file }) => file !== '')
    .slice(0, framesCompared)

const messageOf = (message: string) => message.slice(0, charactersCompared).replace(changing, '*')

/** `async Wr`, `Object.t`, `he/<`: names that only minifiers generate, and reuse for many functions of a bundle. */
function isMinified({ function: name, line }: Frame): boolean {
  const last = name.split(/[\s./<]+/).findLast((part) => part !== '') ?? ''
  return last.length <= 2 || (last === 'anonymous>' && line <= 2)
}

export function formerMappedGroup(
  { environment, type }: Pick<GroupedError, 'environment' | 'type'>,
  placed: readonly PlacedFrame[],
): string | undefined {
  const loaded = placed.filter(({ file }) => file !== '')
  const own = loaded.filter(({ original }) => original !== null && !isLibrary(original.file))
  // Prefer frames of the application, so that a library update does not create another issue.
  const frames = (own.length > 0 ? own : loaded).slice(0, framesCompared)
  if (frames.every(({ original }) => original === null)) return undefined
  const where = frames.map((frame) => locationOf(frame)).join('\n')
  return hash64(`mapped error\0${environment}\0${type}\0${where}`)
}

function locationOf({ original, ...frame }: PlacedFrame): string {
  if (original === null) return nameOf(frame)
  const { function: name, file, line, text } = original
  // Drop the prefix of the path, because it depends on the build's configuration.
  const path = file.slice(0, charactersCompared).replace(/^(?:[a-z-]+:\/\/[^/]*)?[./]*/, '')
  return `${name || text.slice(0, charactersCompared) || line} ${path}`
}

function nameOf({ function: name, file, line }: Frame): string {
  const path = readAddress(file.slice(0, charactersCompared)).path.replace(buildHash, '')
  // Without a name, only the line distinguishes the functions of a file.
  return name === '' || name === '<anonymous>' ? `${path}:${line}` : `${name} ${path}`
}
