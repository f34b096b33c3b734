import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type { createToolbarLink as Contract } from '@telltale/core/contract/toolbar'
import { toolbarParameter } from '@telltale/core/contract/toolbar'
import { type Fault, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { parseUrl } from '@telltale/core/parse-url'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { isAllowedOrigin } from '../../organisation/keys/allowed-origin.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { getFlag } from '../flags/queries.ts'
import { writeToolbarToken } from './toolbar-token.ts'

type Draft = BodyOf<typeof Contract>

interface Requested {
  project: { id: string; key: string }
  environment: EnvironmentRow
  draft: Draft
  /** The console's. */
  origin: string
  now: Date
}

/** Throws `invalid-request` for a page or variation that the toolbar could not use. */
export async function createToolbarLink(
  db: Queryable,
  { project, environment, draft: { page, force }, origin, now }: Requested,
): Promise<ReplyOf<typeof Contract>> {
  const url = parseUrl(page)
  if (url === undefined) throw invalid('/page', 'must be a valid address')
  const { allowedOrigins } = environment
  if (allowedOrigins.length > 0 && !isAllowedOrigin(url.origin, allowedOrigins)) {
    throw invalid('/page', `${url.origin} is not an allowed origin of the environment`)
  }
  if (force !== undefined) await checkForce(db, project.id, force)

  const expiresAt = now.getTime() + limits.toolbarLinkLifetime
  const grant = {
    environmentId: environment.id,
    project: project.key,
    env: environment.key,
    console: origin,
    expiresAt,
    ...(force && { force }),
  }
  url.searchParams.set(toolbarParameter, writeToolbarToken(grant, environment.toolbarSecret))
  return { url: url.href, expiresAt: new Date(expiresAt).toISOString() }
}

/** Its value reaches the page, so the flag must be one that pages may read. */
async function checkForce(db: Queryable, projectId: string, force: NonNullable<Draft['force']>) {
  const flag = await getFlag(db, projectId, force.flag)
  if (!flag.clientVisible) throw invalid('/force/flag', 'is not visible to client keys')
  if (!flag.variations.some(({ key }) => key === force.variation)) {
    throw invalid('/force/variation', `is not a variation of ${force.flag}`)
  }
}

function invalid(pointer: string, message: string) {
  const errors: Fault[] = [{ pointer, message }]
  return problem('invalid-request', { errors })
}
