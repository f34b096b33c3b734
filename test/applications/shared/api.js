// What the applications ask, and the records that their pages hand in. Failures are on purpose.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const shared = import.meta.dirname ?? new URL('.', import.meta.url).pathname
const scripts = { '/spy.js': 'spy.js', '/actions.js': 'actions.js', '/routes.js': 'routes.js' }
const answers = {
  'GET /api/stock': [200, { left: 3 }],
  'GET /api/products': [200, { items: 5 }],
  'POST /api/orders': [201, { accepted: true }],
  'GET /api/coupon': [404, { error: 'no such coupon' }],
  'POST /api/pay': [503, { error: 'the bank does not answer' }],
  'GET /api/broken': [500, { error: 'broken' }],
}

/** Answers true for what it takes care of. */
export function createApi() {
  const records = []
  const json = (response, status, value) => {
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(value))
    return true
  }
  return async (request, response) => {
    const path = request.url.split('?', 1)[0]
    if (path === '/record' && request.method === 'POST') {
      const visit = /visit=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
      let text = ''
      for await (const chunk of request) text += chunk
      records.push({ visit, ...JSON.parse(text) })
      return json(response, 200, {})
    }
    if (path === '/record') return json(response, 200, records)
    if (scripts[path]) {
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(await readFile(join(shared, scripts[path])))
      return true
    }
    if (path === '/favicon.ico') return json(response, 200, {})
    if (path.startsWith('/files/')) return json(response, 404, {})
    if (!path.startsWith('/api/')) return false
    if (path === '/api/never') return true
    if (path === '/api/lost') {
      request.socket.destroy()
      return true
    }
    if (/^\/api\/(products|orders)\/[^/]+$/.test(path)) return json(response, 200, { path })
    const [status, value] = answers[`${request.method} ${path}`] ?? [404, {}]
    return json(response, status, value)
  }
}
