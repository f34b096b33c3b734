// From the token of a share link to the one thing that it shows. Every anonymous call begins here, so that a link stops
// working everywhere at once.

import type { ShareKind } from '@telltale/core/contract/share-links'
import { problem } from '@telltale/core/errors'
import { emptyFilter } from '@telltale/core/query/filter'
import type { ProjectRow } from '../../access/find-project.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { hashSecret, tokenOfLink } from '../../platform/http/secret.ts'
import type { Services } from '../../platform/services.ts'
import { findLinkByToken } from './queries.ts'
import { stateOf } from './share-link.ts'

const closedDetails = {
  expired: 'The link has expired.',
  revoked: 'The link was revoked.',
}

export interface Shared {
  link: NonNullable<Awaited<ReturnType<typeof findLinkByToken>>>['link']
  project: ProjectRow
  environment: EnvironmentRow
  question: Question
}

/** Throws `link-expired` with the reason. With `kind`: also for a link to something else. */
export async function openShared(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  token: string,
  kind?: ShareKind,
): Promise<Shared> {
  const found = await findLinkByToken(db, hashSecret(tokenOfLink(token)))
  if (found === undefined || (kind !== undefined && found.link.kind !== kind))
    throw problem('link-expired', 'The link is unknown or incomplete.')
  const { link, environment, project } = found
  const state = stateOf({ link }, clock())
  if (state !== 'active') throw problem('link-expired', closedDetails[state])

  const { id: environmentId, timeZone } = environment
  const question = ask(telemetry, { environmentId, timeZone, from: 0, to: 0, filter: emptyFilter })
  return { link, project, environment, question }
}
