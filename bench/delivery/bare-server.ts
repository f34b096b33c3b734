// The least that Node can do over HTTP: reads a request to its end and answers with the bytes it was given.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerMeasurements, tellReady } from './measured.ts'

export interface BareAnswer {
  status: number
  headers: [string, string][]
  body: string
}

const [answer]: BareAnswer[] = await once(process, 'message')
if (answer === undefined) throw new Error('no answer to give')
const headers = answer.headers.flat()
const body = Buffer.from(answer.body)

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(answer.status, headers)
    if (body.length === 0) response.end()
    else response.end(body)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.once('SIGTERM', () => process.exit(0))
answerMeasurements()
tellReady({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
