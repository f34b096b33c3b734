// Share links: anyone with the link sees one replay or dashboard, read-only, until it expires or is revoked. The token is in the
// body of every request, so that it is in no log of a server or proxy.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { TileData } from './dashboard-tiles.ts'
import { Dashboard, dashboardRanges } from './dashboards.ts'
import { Id, Instant, Key, Name, Nullable, Page, pageQuery, Secret, Strict } from './parameters.ts'
import { ReplayTab, readReplaySegments } from './replays.ts'
import { SessionDetail, TimelineEvent } from './sessions.ts'

export const shareKinds = ['session', 'dashboard'] as const
export type ShareKind = (typeof shareKinds)[number]

const Kind = Type.Enum([...shareKinds], {
  description:
    '`session`: the replay and the events of a session. `dashboard`: its tiles, measured in one environment.',
})

export const ShareLink = Type.Object({
  id: Id,
  kind: Kind,
  target: Id,
  env: Key,
  state: Type.Enum(['active', 'expired', 'revoked']),
  createdBy: Type.String({ description: 'The name of the member, also after they have left the project.' }),
  createdAt: Instant,
  expiresAt: Instant,
  revokedAt: Nullable(Instant),
  lastOpenedAt: Nullable(Instant),
  opened: Type.Integer({ minimum: 0, description: 'How often the link was opened.' }),
})
export type ShareLink = Static<typeof ShareLink>

const path = '/api/v1/projects/:project/share-links'

export const listShareLinks = call({
  method: 'GET',
  path,
  summary: 'List the share links of a project, newest first.',
  permission: 'links.share',
  query: Strict({
    ...pageQuery,
    target: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only links to this session or dashboard.' }),
    ),
  }),
  reply: Page(ShareLink),
})

export const createShareLink = call({
  method: 'POST',
  path,
  summary: 'Create a link that shows a replay or a dashboard to anyone who has it, until it expires.',
  permission: 'links.share',
  status: 201,
  environmentInBody: true,
  body: Strict({
    kind: Kind,
    target: Id,
    env: Key,
    hours: Type.Integer({
      minimum: 1,
      maximum: limits.shareLinkDays * 24,
      description: 'How long the link works.',
    }),
  }),
  reply: Type.Object({
    link: ShareLink,
    url: Type.String({ description: 'The link. Shown only once; only its hash is stored.' }),
  }),
  errors: ['in-use'],
})

export const revokeShareLink = call({
  method: 'DELETE',
  path: `${path}/:shareLink`,
  summary: 'Revoke a share link: it stops working at once. Revoking it again has no effect.',
  permission: 'links.share',
  reply: ShareLink,
})

/** Identifies a user or a system: left out of what outsiders get. */
export const SharedSession = Type.Omit(SessionDetail, ['userKey', 'userKeys', 'anonymousId', 'country'])

export const SharedEvent = Type.Omit(TimelineEvent, [
  'userKey',
  'anonymousId',
  'country',
  'attributes',
  'traceId',
  'stack',
  'originalStack',
])

const SharedReplay = Type.Object({
  startedAt: Instant,
  endedAt: Instant,
  running: Type.Boolean(),
  tabs: Type.Array(ReplayTab),
  complete: Type.Boolean(),
})

const { name, description, tiles, defaults } = Dashboard.properties
/** Null after its deletion. The filters of its tiles apply and are not shown. */
const SharedDashboard = Type.Object({
  name,
  description,
  tiles,
  range: defaults.properties.range,
  env: Type.String({ description: 'The name of the environment that is measured.' }),
  timeZone: Type.String(),
})

const Token = Strict({ token: Secret })

export const viewShared = call({
  method: 'POST',
  path: '/api/v1/shared/view',
  summary: 'Show what a share link leads to. Without the identity, the traits and the country of the user.',
  permission: 'anyone',
  guessable: 'failures',
  body: Token,
  reply: Type.Object({
    kind: Kind,
    project: Name,
    expiresAt: Instant,
    session: Nullable(SharedSession),
    replay: Nullable(SharedReplay),
    dashboard: Nullable(SharedDashboard),
  }),
  errors: ['link-expired', 'query-too-large'],
})

export const listSharedEvents = call({
  method: 'POST',
  path: '/api/v1/shared/events',
  summary: 'List the events of the session of a share link in order of time.',
  permission: 'anyone',
  guessable: 'refusals',
  body: Strict({ ...Token.properties, cursor: pageQuery.cursor }),
  reply: Page(SharedEvent),
  errors: ['link-expired', 'query-too-large'],
})

export const readSharedSegments = call({
  method: 'POST',
  path: '/api/v1/shared/segments',
  summary: 'Read replay segments of the session of a share link as JSON lines.',
  permission: 'anyone',
  guessable: 'refusals',
  body: Strict({ ...Token.properties, ...readReplaySegments.query.properties }),
  download: 'application/x-ndjson',
  reply: readReplaySegments.reply,
  errors: ['link-expired', 'query-too-large'],
})

export const getSharedAsset = call({
  method: 'POST',
  path: '/api/v1/shared/asset',
  summary: 'Read a style sheet or font of the replay of a share link by its hash.',
  permission: 'anyone',
  guessable: 'refusals',
  body: Strict({ ...Token.properties, asset: Id }),
  download: '*/*',
  reply: Type.String({ description: 'The bytes with their content type.' }),
  errors: ['link-expired', 'not-found', 'query-too-large'],
})

export const readSharedTile = call({
  method: 'POST',
  path: '/api/v1/shared/tile',
  summary:
    'Measure a tile of the dashboard of a share link. Tiles grouped by users or sessions are refused: a link shows no identities.',
  permission: 'anyone',
  guessable: 'refusals',
  body: Strict({
    ...Token.properties,
    tile: Id,
    range: Type.Enum([...dashboardRanges], { description: 'Until now.' }),
  }),
  reply: TileData,
  errors: ['link-expired', 'not-found', 'forbidden', 'query-too-large'],
})

export const shareLinkCalls = {
  listShareLinks,
  createShareLink,
  revokeShareLink,
  viewShared,
  listSharedEvents,
  readSharedSegments,
  getSharedAsset,
  readSharedTile,
}
