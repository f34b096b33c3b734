// The minimum that Node can do over HTTP: reads a request to its end and responds with fixed bytes.

import { once } from 'node:events'
import { createServer } from 'node:http'

const answer = JSON.parse(process.argv[2] ?? '')
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
process.stdout.write(`Bare server listens at http://127.0.0.1:${server.address().port}\n`)
