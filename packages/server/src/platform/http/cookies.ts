// The only cookie: the console session of an account.

import type { FastifyReply, FastifyRequest } from 'fastify'

const plainName = 'telltale_session'
/** Browsers accept this prefix only over TLS, for this host only and with path `/`. */
const secureName = '__Host-telltale_session'

interface CookieScope {
  secure: boolean
}

export function readSessionCookie(request: FastifyRequest, scope: CookieScope): string | undefined {
  const name = scope.secure ? secureName : plainName
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())

  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}

export function setSessionCookie(
  reply: FastifyReply,
  scope: CookieScope,
  cookie: { token: string; maxAge: number },
) {
  const maxAgeSeconds = Math.floor(cookie.maxAge / 1_000)
  reply.header(
    'set-cookie',
    `${nameAndValue(scope, cookie.token)}; Max-Age=${maxAgeSeconds}${attributes(scope)}`,
  )
}

export function clearSessionCookie(reply: FastifyReply, scope: CookieScope) {
  reply.header('set-cookie', `${nameAndValue(scope, '')}; Max-Age=0${attributes(scope)}`)
}

function nameAndValue({ secure }: CookieScope, value: string): string {
  return `${secure ? secureName : plainName}=${value}`
}

// Strict is enough: the page itself needs no cookie, and its later requests are same-site.
function attributes({ secure }: CookieScope): string {
  return `; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}
