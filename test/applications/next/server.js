// Next behind a server of its own, which answers what the pages ask.

import { createServer } from 'node:http'
import next from 'next'
import { createApi } from '../shared/api.js'

const application = next({
  dev: false,
  dir: import.meta.dirname,
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
})
await application.prepare()
const handle = application.getRequestHandler()
const api = createApi()
const server = createServer(async (request, response) => {
  if (!(await api(request, response))) await handle(request, response)
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ port: server.address().port }))
