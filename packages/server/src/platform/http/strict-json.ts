// Reads JSON strictly: valid UTF-8, valid JSON, no member named twice, no bottomless nesting, no text and no number that
// can't be stored as it is. `JSON.parse` alone keeps the last of two members of one name, recurses without bound, makes
// 1e999 infinite and changes the last digits of long numbers.

import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

export type StrictJson =
  | { value: unknown }
  /** `malformed`: no JSON document that means one thing. `unstorable`: it is one, with text that is no text, or a number that can't be kept. */
  | { kind: 'malformed' | 'unstorable'; faults: Fault[] }

export function readStrictJson(bytes: Uint8Array): StrictJson {
  const text = decode(bytes)
  return text === undefined ? malformed('is not valid UTF-8') : parseStrictJson(text)
}

/** No message repeats what stands in the text: it may hold passwords. */
export function parseStrictJson(text: string): StrictJson {
  const found = inspect(text)
  if (found.fatal !== undefined) return malformed(found.fatal)
  if (found.doubled.length > 0) return { kind: 'malformed', faults: [...found.doubled, ...found.unstorable] }
  if (found.unstorable.length > 0) return { kind: 'unstorable', faults: found.unstorable }

  try {
    return { value: JSON.parse(text) }
  } catch {
    return malformed('is not JSON')
  }
}

function malformed(message: string): StrictJson {
  return { kind: 'malformed', faults: [{ pointer: '', message }] }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

class Fatal extends Error {}

interface Findings {
  /** What ended the inspection. */
  fatal?: string
  doubled: Fault[]
  unstorable: Fault[]
}

function inspect(text: string): Findings {
  const findings: Findings = { doubled: [], unstorable: [] }
  try {
    visit(text, createVisitor(text, findings), { disallowComments: true })
  } catch (error) {
    if (!(error instanceof Fatal)) throw error
    findings.fatal = error.message
  }
  return findings
}

function createVisitor(text: string, { doubled, unstorable }: Findings): Parameters<typeof visit>[1] {
  const open: Set<string>[] = []
  let depth = 0
  const deeper = () => {
    depth += 1
    if (depth > limits.bodyDepth) throw new Fatal(`is nested deeper than ${limits.bodyDepth}`)
  }
  const note = (faults: Fault[], path: (string | number)[], message: string) => {
    if (faults.length < limits.faultsListed) faults.push({ pointer: toPointer(path), message })
  }
  const noCharacter = 'contains an invalid character (NUL or a lone surrogate)'

  return {
    onObjectBegin: () => {
      deeper()
      open.push(new Set())
    },
    onObjectEnd: () => {
      depth -= 1
      open.pop()
    },
    onArrayBegin: deeper,
    onArrayEnd: () => {
      depth -= 1
    },
    onObjectProperty: (...[name, , , , , path]) => {
      const names = open.at(-1)
      if (names?.has(name)) note(doubled, [...path(), name], 'is duplicated')
      if (!isStorable(name)) note(unstorable, [...path(), name], noCharacter)
      names?.add(name)
    },
    onLiteralValue: (...[value, offset, length, , , path]) => {
      if (typeof value === 'string' && !isStorable(value)) note(unstorable, path(), noCharacter)
      if (typeof value === 'number' && !isExact(value, text.slice(offset, offset + length))) {
        note(unstorable, path(), 'is a number that loses precision: use text')
      }
    },
    onError: (...[code, , , line, character]) => {
      throw new Fatal(`is not JSON: ${reasonOf(code)} at line ${line + 1}, column ${character + 1}`)
    },
  }
}

/** PostgreSQL stores no NUL, and half of a surrogate pair is no character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Fractions are rounded, as everywhere; a whole number is often an id, and another one is another thing. */
function isExact(value: number, written: string): boolean {
  if (Number.isSafeInteger(value)) return true
  return Number.isFinite(value) && (!/^-?\d+$/.test(written) || BigInt(written) === BigInt(value))
}

/** RFC 6901. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** `CommaExpected` as "comma expected". */
function reasonOf(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?!^)([A-Z])/g, ' $1')
    .toLowerCase()
}
