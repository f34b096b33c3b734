import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import { may } from '@telltale/core/rights'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { ask } from '../../monitoring/explore/question.ts'
import { findAsset, hasAsset } from '../../monitoring/replays/queries.ts'
import { readSegments } from '../../monitoring/replays/read-segments.ts'
import { getSession } from '../../monitoring/sessions/get-session.ts'
import { listSessionEvents } from '../../monitoring/sessions/list-session-events.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { Download } from '../../platform/http/download.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { getDashboard } from '../dashboards/queries.ts'
import { createShareLink } from './create-share-link.ts'
import { openShared } from './open-shared.ts'
import { findShareLinks } from './queries.ts'
import { readSharedTile } from './read-shared-tile.ts'
import { revokeShareLink } from './revoke-share-link.ts'
import { toShareLink } from './share-link.ts'
import { viewShared } from './view-shared.ts'

const lastIndex = 2 ** 32 - 1

export const shareLinkRoutes: Handlers<Calls['share-links'], Services & { stackMapper: StackMapper }> = {
  listShareLinks: ({ db }, { project, origin, query: { target, ...page } }) =>
    readNewestFirst(page, {
      find: async (before, count) => {
        const found = await findShareLinks(db, { projectId: project.row.id, target, before, count })
        return found.map((one) => ({ ...one, id: one.link.id }))
      },
      toItem: (row) => toShareLink(row, origin.now),
    }),
  createShareLink: async ({ db, telemetry, clock }, { project, origin, body, ownOrigin }) => {
    const { env, kind, target, hours } = body
    const permission = 'replays.view'
    if (kind === 'session' && !may(project.grant, permission, env))
      throw problem('forbidden', {
        detail: `This needs ${permission} in "${env}": you share what you see.`,
        permission,
      })
    const environment = await getEnvironment(db, { projectId: project.row.id, key: env })
    // Throws `not-found`: a link to nothing would be found out by its recipient.
    if (kind === 'dashboard') await getDashboard(db, { project: project.row, id: target })
    else {
      const { id: environmentId, timeZone } = environment
      const question = ask(telemetry, { environmentId, timeZone, from: 0, to: 0, filter: emptyFilter })
      await getSession(question, { id: target, now: clock() })
    }
    return createShareLink(db, origin, {
      project: project.row,
      environment,
      kind,
      target,
      hours,
      site: ownOrigin,
    })
  },
  revokeShareLink: ({ db }, { project, params, origin }) =>
    revokeShareLink(db, origin, { project: project.row, id: params.shareLink }),
  readSharedTile: (services, { body }) => readSharedTile(services, body),
  viewShared: (services, { body }) => viewShared(services, body.token),
  listSharedEvents: async (services, { body: { token, cursor } }) => {
    const { link, project, question } = await openShared(services, token, 'session')
    return listSessionEvents(services, question, {
      id: link.target,
      projectId: project.id,
      query: { limit: limits.sessionEventsPage, ...(cursor === undefined ? {} : { cursor }) },
    })
  },
  readSharedSegments: async (services, { body: { token, tab, from, to = lastIndex } }) => {
    const { link, question } = await openShared(services, token, 'session')
    const range = { session: link.target, tab, from, to }
    return new Download(
      'application/x-ndjson',
      await readSegments({ question, memory: services.memory }, range),
    )
  },
  getSharedAsset: async (services, { body: { token, asset } }) => {
    const { link, question } = await openShared(services, token, 'session')
    const isOfSession = await hasAsset(question, link.target, asset)
    const found = isOfSession ? await findAsset(question, asset) : undefined
    if (found === undefined) throw problem('not-found', 'The replay has no such asset.')
    return new Download(found.mime, Buffer.from(found.body, 'base64'))
  },
}
