// Stands between a page and the server, passes everything on, and keeps what left the page, unpacked.

import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface Left {
  /** With its query. */
  path: string
  text: string
}

export interface Tap extends AsyncDisposable {
  url: string
  /** In its order. */
  left: Left[]
}

export async function startTap(server: string): Promise<Tap> {
  const left: Left[] = []
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const path = request.url ?? '/'
      const { referer = '', cookie = '' } = request.headers
      left.push({ path, text: `${referer}\n${cookie}\n${unpack(body)}` })
      const passed = ask(server + path, { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      response.on('close', () => passed.destroy())
      passed.end(body)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the tap has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    left,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Compressed as a whole, or behind a line that says what it is. */
function unpack(body: Buffer): string {
  if (isGzip(body)) return gunzipSync(body).toString()
  const rest = body.subarray(body.indexOf(10) + 1)
  if (!isGzip(rest)) return body.toString()
  return body.subarray(0, body.length - rest.length).toString() + gunzipSync(rest)
}
