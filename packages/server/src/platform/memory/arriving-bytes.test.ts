import { once } from 'node:events'
import { Agent, createServer, request as startRequest } from 'node:http'
import { expect, test } from 'vitest'
import { readAttachment } from '../../intake/attachments/read-attachment.ts'
import { readBody } from '../../intake/events/read-body.ts'
import { createMemoryBudget } from './memory-budget.ts'

const memory = createMemoryBudget(100_000)
const claim = memory.open('telemetry')

test.each([
  ['an attachment', (stream) => readAttachment({ stream, encoding: undefined }, { mostBytes: 1e6, claim })],
  [
    'events',
    (stream) =>
      readBody({ stream, encoding: undefined }, () => {
        throw new Error('no room')
      }),
  ],
] as [string, (stream: import('node:stream').Readable) => Promise<unknown>][])(
  'the connection can be used again after %s was refused before its end',
  async (_what, read) => {
    const server = createServer(async (request, response) => {
      if (request.method === 'POST') await read(request).catch(() => undefined)
      response.end('answered')
    })
    server.listen(0)
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (method: string, body: string) => {
      const requested = startRequest({ agent, port, method, headers: { 'content-length': body.length } })
      requested.end(body)
      const [answer] = await once(requested, 'response')
      let text = ''
      for await (const chunk of answer) text += chunk
      return { text, isReused: requested.reusedSocket }
    }
    try {
      expect(await ask('POST', `{}\n${'x'.repeat(900_000)}`)).toEqual({ text: 'answered', isReused: false })
      expect(await ask('GET', '')).toEqual({ text: 'answered', isReused: true })
    } finally {
      agent.destroy()
      server.close()
    }
  },
)
