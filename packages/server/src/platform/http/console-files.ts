// Serves the built console: immutable hashed assets, its page for every console URL, and the document of the replay
// player, which shows recorded content and therefore has the strictest policy.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RefuseMethod } from './other-methods.ts'

const yearSeconds = 31_536_000

/** Paths of the server that are never console URLs. */
const serverPaths =
  /^\/(api|assets|demo|docs|errors|health|hooks|metrics|ofrep|sdk|flagsmith|intake|v1)(\/|$)/

const playerPath = '/replay-player/'

/** Pages for people outside: search engines must not list them, nor other sites learn of them. */
const sharedPaths = /^\/shared(\/|$)/

/**
 * Shows the recorded inline styles, images and fonts, and can only be framed by the console. It runs only its own
 * script and makes no network requests; its frames inherit the policy and are sandboxed without scripts.
 */
const playerHeaders = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'unsafe-inline'"],
      imgSrc: ['data:', 'blob:'],
      fontSrc: ['data:', 'blob:'],
      connectSrc: ["'none'"],
      frameSrc: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'self'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' as const },
  xDnsPrefetchControl: { allow: false },
  xFrameOptions: { action: 'sameorigin' as const },
}

/**
 * What every screen requests first: the account, and the environments of the project in the path. Browsers load it
 * while they load the console's code. `crossorigin` gives the mode and credentials of `fetch`.
 */
function preloadsOf(path: string): string {
  const [, project] = /^\/p\/([a-z0-9-]+)(?:\/|$)/.exec(path) ?? []
  const calls = ['account', ...(project === undefined ? [] : [`projects/${project}/environments`])]
  return calls.map((call) => `</api/v1/${call}>; rel=preload; as=fetch; crossorigin`).join(', ')
}

/** Denies every feature of the Permissions Policy. */
const noPermissions = `
  accelerometer autoplay camera clipboard-read clipboard-write display-capture encrypted-media fullscreen gamepad
  geolocation gyroscope hid identity-credentials-get idle-detection local-fonts magnetometer microphone midi otp-credentials
  payment picture-in-picture publickey-credentials-create publickey-credentials-get screen-wake-lock serial
  storage-access usb window-management xr-spatial-tracking`
  .trim()
  .split(/\s+/)
  .map((feature) => `${feature}=()`)
  .join(', ')

interface ConsoleFiles {
  folder: string
  /** Answers for addresses of the server that exist with another method. */
  refuseMethod: RefuseMethod
  /** Whether the request has a valid session. Never rejects. */
  isSignedIn(request: FastifyRequest): Promise<boolean>
}

export async function bindConsole(
  server: FastifyInstance,
  { folder, refuseMethod, isSignedIn }: ConsoleFiles,
): Promise<void> {
  const isBuilt = existsSync(folder)
  if (isBuilt) {
    await server.register(staticFiles, {
      root: folder,
      preCompressed: true,
      index: false,
      wildcard: false,
      globIgnore: ['assets/**'],
      cacheControl: false,
      setHeaders: (response, path) => {
        const isHashed = path.includes('/assets/')
        response.setHeader('vary', 'accept-encoding')
        response.setHeader(
          'cache-control',
          isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
        )
      },
    })
    // One route for hundreds of files: one route each would be most of the routes at every start.
    const assets = new Set(readdirSync(join(folder, 'assets')))
    server.route<{ Params: { '*': string } }>({
      method: ['HEAD', 'GET'],
      url: '/assets/*',
      handler: async ({ params }, reply) =>
        assets.has(params['*']) ? reply.sendFile(`assets/${params['*']}`) : reply.callNotFound(),
    })
    server.get(playerPath, { helmet: playerHeaders, exposeHeadRoute: false }, async (_request, reply) => {
      reply.header('permissions-policy', noPermissions)
      return reply.sendFile('replay-player/index.html')
    })
  }

  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    if (serverPaths.test(path)) refuseMethod(request, reply)
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !serverPaths.test(path)
    if (!isPage || !isBuilt) throw problem('not-found', `There is nothing at ${path.slice(0, 200)}.`)

    // Needed when Telltale monitors its own console: without the header, browsers log a warning for each profile.
    reply.header('document-policy', 'js-profiling')
    if (sharedPaths.test(path)) {
      reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
    }
    // A refused preload would be the answer to the first request after the next sign-in.
    if (await isSignedIn(request)) reply.header('link', preloadsOf(path))
    return reply.sendFile('index.html')
  })
}
