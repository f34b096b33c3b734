import type { Readable } from 'node:stream'
import { type Problem, problem } from '@telltale/core/errors'

/**
 * A request body chunk by chunk. However reading ends, the stream is released: unread bytes would block the next request
 * on the same connection until it times out. Throws `malformed-body` when the connection breaks.
 */
export async function* arrivingBytes(stream: Readable): AsyncGenerator<Buffer, void> {
  // Destroying the request would close its connection, and the response that explains why would be lost.
  const arriving: AsyncIterator<unknown> = stream.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await arriving.next().catch(() => {
        throw connectionClosed()
      })
      if (done === true) return
      if (!Buffer.isBuffer(value)) throw new Error('the body is read as bytes')
      yield value
    }
  } finally {
    // While the iterator is attached, `resume` has no effect.
    await arriving.return?.()
    stream.resume()
  }
}

export function connectionClosed(): Problem {
  return problem('malformed-body', 'The connection was closed before the body was complete.')
}
