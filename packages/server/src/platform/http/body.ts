import { problem } from '@telltale/core/errors'
import { readStrictJson } from './strict-json.ts'

/** The value of a JSON body, or undefined for an empty one. Throws `malformed-body` and `invalid-request`. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined
  const read = readStrictJson(bytes)
  if ('value' in read) return read.value
  if (read.kind === 'unstorable') throw problem('invalid-request', { errors: read.faults })

  const detail = read.faults.map(
    ({ pointer, message }) => `The body${pointer && ` at ${pointer}`} ${message}.`,
  )
  throw problem('malformed-body', { detail: detail.join(' '), errors: read.faults })
}
