// The cookies: the console session of an account, and one for each sign-in that is in progress at a provider.

import type { FastifyReply, FastifyRequest } from 'fastify'

const plainName = 'telltale_session'
/** Browsers accept this prefix only over TLS, for this host only and with path `/`. */
const secureName = '__Host-telltale_session'

const flowName = 'telltale_flow_'

interface CookieScope {
  secure: boolean
}

/** What handlers do with cookies. */
export interface Cookies {
  set(session: { token: string; maxAge: number }): void
  clear(): void
  /** Proof that a sign-in at a provider was started in this browser. */
  flow: {
    read(name: string): string | undefined
    set(name: string, cookie: { token: string; maxAge: number }): void
    clear(name: string): void
  }
}

export function cookiesOf(request: FastifyRequest, reply: FastifyReply, scope: CookieScope): Cookies {
  const flowCookie = (name: string) => `${scope.secure ? '__Host-' : ''}${flowName}${name}`
  return {
    set: (session) => setSessionCookie(reply, scope, session),
    clear: () => clearSessionCookie(reply, scope),
    flow: {
      read: (name) => readCookie(request, flowCookie(name)),
      set: (name, cookie) => setCookie(reply, scope, { name: flowCookie(name), ...cookie }),
      clear: (name) => setCookie(reply, scope, { name: flowCookie(name), token: '', maxAge: 0 }),
    },
  }
}

export function readSessionCookie(request: FastifyRequest, scope: CookieScope): string | undefined {
  return readCookie(request, sessionName(scope))
}

function readCookie(request: FastifyRequest, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}

export function setSessionCookie(
  reply: FastifyReply,
  scope: CookieScope,
  cookie: { token: string; maxAge: number },
) {
  setCookie(reply, scope, { name: sessionName(scope), ...cookie })
}

function clearSessionCookie(reply: FastifyReply, scope: CookieScope) {
  setCookie(reply, scope, { name: sessionName(scope), token: '', maxAge: 0 })
}

/** Fastify sends each `set-cookie` header that a reply was given. */
function setCookie(
  reply: FastifyReply,
  scope: CookieScope,
  { name, token, maxAge }: { name: string; token: string; maxAge: number },
) {
  reply.header('set-cookie', `${name}=${token}; Max-Age=${Math.floor(maxAge / 1_000)}${attributes(scope)}`)
}

const sessionName = ({ secure }: CookieScope) => (secure ? secureName : plainName)

// Strict is enough: the page itself needs no cookie, and its later requests are same-site.
function attributes({ secure }: CookieScope): string {
  return `; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}
