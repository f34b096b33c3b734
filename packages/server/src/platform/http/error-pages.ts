// The page behind the `type` of every problem.

import { errors, isErrorCode, problem } from '@telltale/core/errors'
import type { FastifyInstance } from 'fastify'

export function bindErrorPages(server: FastifyInstance): void {
  server.get<{ Params: { code: string } }>('/errors/:code', async (request, reply) => {
    const { code } = request.params
    if (!isErrorCode(code)) throw problem('not-found', `There is no error "${code.slice(0, 64)}".`)

    const { status, title, explanation } = errors[code]
    return reply.type('text/html; charset=utf-8').send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${code}: ${title}</title><h1>${title}</h1><p><code>${code}</code>, status ${status}</p><p>${withCode(explanation)}</p></html>`,
    )
  })
}

function withCode(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
