// Strict JSON parsing: valid UTF-8, valid JSON, no duplicate members, bounded nesting, and only text and numbers that
// can be stored unchanged. `JSON.parse` alone keeps the last of two members with the same name, recurses without
// bound, turns 1e999 into infinity and changes the last digits of long numbers.

import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

type StrictJson =
  | { value: unknown }
  /**
   * `malformed`: not an unambiguous JSON document. `unstorable`: valid, but with text or a number that cannot be
   * stored.
   */
  | { kind: 'malformed' | 'unstorable'; faults: Fault[] }

export function readStrictJson(bytes: Uint8Array): StrictJson {
  const text = decode(bytes)
  return text === undefined ? malformed('is not valid UTF-8') : parseStrictJson(text)
}

/** Messages never repeat the input: it may contain passwords. */
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
  /** What stopped the inspection. */
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

/** PostgreSQL cannot store NUL, and a lone surrogate is not a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Fractions may be rounded; a whole number is often an id, which must not change. */
function isExact(value: number, written: string): boolean {
  if (Number.isSafeInteger(value)) return true
  return Number.isFinite(value) && (!/^-?\d+$/.test(written) || BigInt(written) === BigInt(value))
}

/** Formats a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** `CommaExpected` as "comma expected". */
function reasonOf(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?!^)([A-Z])/g, ' $1')
    .toLowerCase()
}
