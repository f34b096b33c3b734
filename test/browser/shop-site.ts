// A site of somebody else with a page that can be replaced, and something to ask.

import { once } from 'node:events'
import { createServer } from 'node:http'

export interface ShopSite extends AsyncDisposable {
  url: string
  /** At every address that is not of the API. */
  page: string
  /** What goes with the page. */
  headers: Record<string, string>
}

export async function startShop(): Promise<ShopSite> {
  const site: ShopSite = {
    url: '',
    page: '',
    headers: {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/'
    if (path === '/api/stock') return response.writeHead(200).end('three left')
    if (path === '/api/missing') return response.writeHead(404).end('nothing here')
    if (path === '/favicon.ico') return response.writeHead(204).end()
    return response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...site.headers })
      .end(site.page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the shop has no port')
  site.url = `http://127.0.0.1:${address.port}`
  return site
}
