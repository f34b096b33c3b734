// Tokens that open the toolbar: what they grant, signed with the secret of the environment. Every server of the
// installation can check one, without a table.

import { createHmac } from 'node:crypto'
import { Key } from '@telltale/core/contract/parameters'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isSameSecret } from '../../platform/http/secret.ts'

const Grant = Type.Object({
  environmentId: Type.String(),
  /** The keys of both, for links into the console. */
  project: Key,
  env: Key,
  /** The origin of the console, as its member sees it. */
  console: Type.String(),
  /** Milliseconds since 1970. */
  expiresAt: Type.Number(),
  force: Type.Optional(Type.Object({ flag: Key, variation: Type.String() })),
})
const grant = Compile(Grant)

export type ToolbarGrant = Static<typeof Grant>

export function writeToolbarToken(given: ToolbarGrant, secret: string): string {
  const content = Buffer.from(JSON.stringify(given)).toString('base64url')
  return `${content}.${seal(content, secret)}`
}

/** Undefined for a token that is not of this environment, or has expired. */
export function readToolbarToken(
  token: string,
  { environmentId, secret, now }: { environmentId: string; secret: string; now: number },
): ToolbarGrant | undefined {
  const [content = '', sealed = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSameSecret(sealed, seal(content, secret))) return undefined

  const found: unknown = JSON.parse(Buffer.from(content, 'base64url').toString())
  if (!grant.Check(found) || found.environmentId !== environmentId || found.expiresAt <= now) return undefined
  return found
}

function seal(content: string, secret: string): string {
  return createHmac('sha256', secret).update(`toolbar.${content}`).digest('base64url')
}
