// The Model Context Protocol at /mcp, as streamable HTTP without sessions: each request carries an API token and is
// answered completely. Tools reach the API through the routes of this server, so that every check of a route holds.

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { problem } from '@telltale/core/errors'
import type { Ask } from '@telltale/mcp/ask'
import { createMcpServer } from '@telltale/mcp/create-mcp-server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../platform/http/other-methods.ts'

const path = '/mcp'

/** `?writes=true` also offers the tools that change something, within the role of the token. */
export function bindMcp(server: FastifyInstance, { version }: { version: string }): void {
  server.post<{ Querystring: { writes?: string } }>(path, {
    // Before the body is read, so that nothing is parsed for unknown callers. A cookie is not accepted: pages could send it.
    onRequest: async (request) => {
      if (!/^Bearer tt/.test(request.headers.authorization ?? '')) throw problem('unauthenticated')
      const { status } = await askAs(server, request)({ ...nothing, path: '/api/v1/projects?limit=1' })
      if (status === 401) throw problem('unauthenticated')
      if (status === 429) throw problem('rate-limited')
    },
    handler: async (request, reply) => {
      const writes = request.query.writes === 'true'
      const mcp = createMcpServer({ ask: askAs(server, request), version, writes })
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await mcp.connect(transport)
      try {
        const answer = await transport.handleRequest(webRequest(request), { parsedBody: request.body })
        reply.code(answer.status).headers(Object.fromEntries(answer.headers))
        return reply.send(await answer.text())
      } finally {
        await mcp.close()
      }
    },
  })
  refuseOtherMethods(server, path, ['POST'])
}

const nothing = { method: 'GET', headers: {}, body: undefined } as const

/** Without its body, which was read already. */
function webRequest({ headers, url }: FastifyRequest): Request {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) given.append(name, one)
  return new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: given })
}

/** Within the process, with the token of the request and from its address. */
function askAs(server: FastifyInstance, { headers: { authorization = '' }, ip }: FastifyRequest): Ask {
  return async ({ method, path: url, headers, body }) => {
    const answer = await server.inject({
      method,
      url,
      headers: { ...headers, authorization },
      remoteAddress: ip,
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, text: answer.payload }
  }
}
