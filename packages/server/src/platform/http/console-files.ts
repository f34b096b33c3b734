// Serves the built console: hashed assets for ever, its page for every address of the console, and the document of the replay
// player, which shows what others recorded and therefore may do less than any other.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance } from 'fastify'

const yearSeconds = 31_536_000

/** Paths of the server's own, which are never an address of the console. */
const serverPaths = /^\/(api|assets|demo|docs|errors|health|metrics|ofrep|sdk|flagsmith|intake|v1)(\/|$)/

const playerPath = '/replay-player/'

/**
 * Shows inline styles, pictures and fonts that it was handed, in the console alone. It runs its own program and asks nothing of
 * any network; what it frames inherits that, and is a sandbox without scripts besides.
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

/** All that a document can be refused. */
const noPermissions = `
  accelerometer autoplay camera clipboard-read clipboard-write display-capture encrypted-media fullscreen gamepad
  geolocation gyroscope hid identity-credentials-get idle-detection local-fonts magnetometer microphone midi otp-credentials
  payment picture-in-picture publickey-credentials-create publickey-credentials-get screen-wake-lock serial
  storage-access usb window-management xr-spatial-tracking`
  .trim()
  .split(/\s+/)
  .map((feature) => `${feature}=()`)
  .join(', ')

export async function bindConsole(server: FastifyInstance, folder: string): Promise<void> {
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
    // One route for hundreds of files: with one each they were most of the routes of every start.
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
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !serverPaths.test(path)
    if (!isPage || !isBuilt) throw problem('not-found', `There is nothing at ${path.slice(0, 200)}.`)

    // The console is its own customer where that is switched on: without the header, browsers complain about each profile.
    reply.header('document-policy', 'js-profiling')
    return reply.sendFile('index.html')
  })
}
