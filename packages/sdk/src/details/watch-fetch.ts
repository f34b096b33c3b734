// Requests by `fetch`. The page gets its own response, untouched: what is recorded is read from a copy.

import { around } from '../browser/around.ts'
import { guarded, reportFault } from '../browser/guard.ts'
import { emptyBody, isTextual, type RecordedBody, selectBody, selectGiven, shortMime } from './bodies.ts'
import { readText } from './read-response.ts'
import { type Permitted, type RecordedMessage, type RequestWatch, selectHeaders } from './request-parts.ts'

/** Of larger ones only the size is recorded. */
const largest = 1_048_576

export function watchFetch(watch: RequestWatch): () => void {
  return around({
    owner: globalThis,
    name: 'fetch',
    before(_target, [input, given]) {
      const request = input instanceof Request ? input : undefined
      const address =
        request?.url ?? (typeof input === 'string' || input instanceof URL ? String(input) : undefined)
      const permitted = address === undefined ? undefined : watch.permit(address)
      if (!permitted) return undefined
      const init: RequestInit = Object(given)
      const startedAt = watch.now()
      const method = String(init.method ?? request?.method ?? 'GET').toUpperCase()
      // A copy, while it can still be made.
      const copy = init.body === undefined ? copyOf(request, permitted) : undefined
      return (result) => {
        if (!(result instanceof Promise)) return
        // Read after the call: a list of headers may be readable once.
        const headers = guarded(() => new Headers(init.headers ?? request?.headers))()
        const type = shortMime(headers?.get('content-type'))
        const sent: RecordedMessage = {
          headers: headers ? selectHeaders(headers, permitted) : [],
          body: copy ? emptyBody : (guarded(selectGiven)(init.body, type, permitted) ?? emptyBody),
        }
        const finish = guarded(async (status: number, response: RecordedMessage, endedAt: number) => {
          const body = copy ? await readCopy(copy, { type, permitted }) : sent.body
          watch.onRequest({
            kind: 'fetch',
            method,
            address: permitted.url.href,
            status,
            duration: endedAt - startedAt,
            request: { ...sent, body },
            response,
          })
        })
        result.then(
          guarded((response: unknown) => {
            const endedAt = watch.now()
            if (!(response instanceof Response)) return
            const { status } = response
            const about = { headers: selectHeaders(response.headers, permitted) }
            // At once: the page may read its own next.
            const reading = readBody(response, permitted)
            reading.then((body) => finish(status, { ...about, body }, endedAt)).catch(reportFault)
          }),
          guarded(() => void finish(0, { headers: [], body: emptyBody }, watch.now())?.catch(reportFault)),
        )
      }
    },
  })
}

function copyOf(request: Request | undefined, { fields }: Permitted): Request | undefined {
  if (!request || fields.length === 0 || request.bodyUsed || /^(GET|HEAD)$/.test(request.method))
    return undefined
  return isTextual(shortMime(request.headers.get('content-type'))) ? request.clone() : undefined
}

async function readCopy(
  copy: Request,
  { type, permitted }: { type: string; permitted: Permitted },
): Promise<RecordedBody> {
  try {
    return selectBody({ ...(await readText(copy)), mime: type }, permitted)
  } catch {
    return { state: 'unread', size: 0, mime: type, text: '' }
  }
}

async function readBody(response: Response, permitted: Permitted): Promise<RecordedBody> {
  const mime = shortMime(response.headers.get('content-type'))
  const size = Number(response.headers.get('content-length')) || 0
  const only = (state: RecordedBody['state']) => ({ state, size, mime, text: '' })
  if (/^opaque/.test(response.type)) return only('unread')
  if (!response.body) return { ...emptyBody, mime }
  if (!isTextual(mime)) return only(/stream|ndjson/.test(mime) ? 'unread' : 'binary')
  if (permitted.fields.length === 0) return only('not-allowed')
  if (size > largest) return only('too-large')
  try {
    const read = await readText(response.clone())
    return selectBody({ ...read, size: size || read.size, mime }, permitted)
  } catch {
    // The page, or the network, ended it.
    return only('unread')
  }
}
