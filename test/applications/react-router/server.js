// Serves the built application: every address that is no file gets the page.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createApi } from '../shared/api.js'

const { BUILT: built = '', TELLTALE_URL: url, TELLTALE_CLIENT_KEY: key } = process.env
const page = `<!doctype html>
<html><head><title>Shop</title>
<script src="/spy.js"></script>
<script>window.settings = ${JSON.stringify({ url, key })}</script>
<style>body { font: 18px sans-serif } button, a { display: inline-block; margin: 4px; padding: 6px }</style>
</head><body><div id="root"></div><script type="module" src="/assets/main.js"></script></body></html>`

const api = createApi()
const server = createServer(async (request, response) => {
  if (await api(request, response)) return
  const path = request.url.split('?', 1)[0]
  if (path.startsWith('/assets/')) {
    const file = await readFile(join(built, path.slice(8))).catch(() => undefined)
    response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file)
    return
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ port: server.address().port }))
