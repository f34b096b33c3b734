// The guide's Next application, with settings that a team would write into its code.

import { createServer } from 'node:http'
import next from 'next'

const { PORT, TELLTALE_URL: url, TELLTALE_CLIENT_KEY: key } = process.env
globalThis.settings = { url, key }
const application = next({ dev: false, dir: import.meta.dirname, hostname: '127.0.0.1', port: Number(PORT) })
await application.prepare()
const handle = application.getRequestHandler()
const server = createServer((request, response) => {
  if (request.url === '/favicon.ico') response.writeHead(204).end()
  else void handle(request, response)
})
server.listen(Number(PORT), '127.0.0.1', () => process.send?.({ port: server.address().port }))
