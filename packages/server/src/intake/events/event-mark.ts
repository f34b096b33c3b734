import { problem } from '@telltale/core/errors'
import { validate as isId } from 'uuid'

/** The last event of a page of results. */
export interface EventMark {
  /** Milliseconds since 1970. */
  at: number
  id: string
}

/** A cursor is client input. */
export function readMark(text: string): EventMark {
  const [at = '', id = ''] = text.split(' ')
  if (/^\d{1,15}$/.test(at) && isId(id)) return { at: Number(at), id }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
