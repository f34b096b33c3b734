// Reads a JSON body strictly: valid UTF-8, valid JSON, no member named twice, no bottomless nesting, no text that
// can't be stored as it is.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { visit } from 'jsonc-parser'

/** The value, or undefined for an empty body. Throws `malformed-body`. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined
  const text = decode(bytes)
  refuseDoubtful(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw problem('malformed-body', `The body is not JSON: ${reason}`)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw problem('malformed-body', 'The body is not valid UTF-8.')
  }
}

/** `JSON.parse` keeps the last of two members of one name and recurses without bound. We refuse both. */
function refuseDoubtful(text: string): void {
  const open: Set<string>[] = []
  let depth = 0
  const deeper = () => {
    depth += 1
    if (depth > limits.bodyDepth)
      throw problem('malformed-body', `The body nests deeper than ${limits.bodyDepth}.`)
  }

  visit(
    text,
    {
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
      onLiteralValue: (...[value, , , , , path]) => {
        if (typeof value === 'string' && !isStorable(value)) throw unstorable(path())
      },
      onObjectProperty: (...[name, , , , , path]) => {
        const names = open.at(-1)
        if (names?.has(name)) {
          const pointer = toPointer([...path(), name])
          throw problem('malformed-body', {
            detail: `The member ${pointer} is given twice.`,
            errors: [{ pointer, message: 'is given twice' }],
          })
        }
        names?.add(name)
        if (!isStorable(name)) throw unstorable([...path(), name])
      },
    },
    { disallowComments: true },
  )
}

/** PostgreSQL stores no NUL, and half of a surrogate pair is no character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function unstorable(path: readonly (string | number)[]) {
  return problem('invalid-request', {
    errors: [
      { pointer: toPointer(path), message: 'holds a character that is none (NUL or a lone surrogate)' },
    ],
  })
}

/** RFC 6901. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
