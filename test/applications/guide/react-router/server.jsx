// Renders a page as the framework does: the loaders, then the routes with their data.

import './settings.js'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { serverRoutes } from './routes.jsx'

const handler = createStaticHandler(serverRoutes)

async function render(request) {
  const context = await handler.query(request)
  if (context instanceof Response) throw context
  const html = renderToString(
    <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, context)} context={context} />,
  )
  return `<!doctype html><html><head><title>Shop</title></head>
<body><div id="root">${html}</div><script type="module" src="/browser.js"></script></body></html>`
}

const server = createServer(async ({ url = '/', headers }, response) => {
  if (url === '/browser.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(await readFile(join(import.meta.dirname, 'browser.js')))
    return
  }
  if (url === '/favicon.ico') {
    response.writeHead(204).end()
    return
  }
  const request = new Request(`http://${headers.host}${url}`, { headers: { cookie: headers.cookie ?? '' } })
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(await render(request))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  process.send?.({ port: Object(server.address()).port }),
)
