// The toolbar of a page checks its token here. The page's own client key must be of the same environment; values and
// reasons of flags come from OFREP with that key, so a token gives no more of them than the page has.

import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { findVisible } from '../delivery/answers.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { readToolbarToken, type ToolbarGrant } from './toolbar-token.ts'

const path = '/sdk/v1/toolbar'

export function bindToolbarCall(scope: FastifyInstance, delivery: Delivery): void {
  scope.post(path, { helmet: false as const }, async (request, reply) => {
    const key = await delivery.keys.authenticate(request)
    const { id: environmentId, toolbarSecret: secret } = key.environment
    const token = tokenOf(request)
    const grant =
      token === undefined || secret === undefined
        ? undefined
        : readToolbarToken(token, { environmentId, secret, now: delivery.now() })
    if (grant === undefined)
      throw problem('link-expired', 'Open the toolbar with a new link from the console.')

    const { project, env, console, expiresAt, force } = grant
    const served = force && (await delivery.ruleSets.get(environmentId))
    const found = served && force && findVisible(served, force.flag, key)
    const forced = found?.compiled.definition.variations.find((one) => one.key === force?.variation)
    return reply.header('cache-control', 'no-store').send({
      project,
      env,
      console,
      expiresAt,
      ...(force && forced && { force: { ...force, value: forced.value } }),
    } satisfies Omit<ToolbarGrant, 'environmentId' | 'force'> & { force?: object })
  })
  refuseOtherMethods(scope, path, ['POST'])
}

/** `{"token":"…"}`, with any content type: a request without a preflight. */
function tokenOf({ body }: FastifyRequest): string | undefined {
  try {
    const given: unknown = JSON.parse(String(body))
    const token = typeof given === 'object' && given !== null ? Reflect.get(given, 'token') : undefined
    return typeof token === 'string' ? token : undefined
  } catch {
    // Not JSON: the same as a missing token.
    return undefined
  }
}
