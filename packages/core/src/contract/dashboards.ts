// Dashboards: tiles of measurements and states, arranged by the members of a project.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Tile, TileData } from './dashboard-tiles.ts'
import { Filter, periodQuery } from './measured.ts'
import { Id, Instant, Name, Nothing, Nullable, Page, pageQuery, Strict, Version } from './parameters.ts'

export const dashboardRanges = ['15m', '1h', '6h', '24h', '7d', '30d', '90d'] as const

/** The arrangement: what a dashboard is, and what its file holds. */
const draftMembers = {
  name: Name,
  description: Type.String({ maxLength: limits.descriptionLength }),
  tiles: Type.Array(Tile, { maxItems: limits.dashboardTiles, description: 'In reading order.' }),
  defaults: Strict({
    range: Type.Enum([...dashboardRanges], { description: 'The period when the address has none.' }),
    filter: Type.Optional(
      Type.Unsafe<string>({
        ...Filter,
        description: 'Applies to every telemetry tile, in addition to its own.',
      }),
    ),
  }),
}
export const DashboardDraft = Strict(draftMembers)
export type DashboardDraft = Static<typeof DashboardDraft>

/** Increased when a file of an older version cannot be read as it is. */
export const dashboardFileVersion = 1
export const DashboardFile = Strict({
  kind: Type.Literal('telltale-dashboard'),
  schema: Type.Literal(dashboardFileVersion, { description: 'The version of the format.' }),
  ...draftMembers,
})
export type DashboardFile = Static<typeof DashboardFile>

const about = {
  id: Id,
  owner: Type.Object({ id: Nullable(Id), name: Type.String() }),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
}

export const Dashboard = Type.Object({ ...about, ...draftMembers })
export type Dashboard = Static<typeof Dashboard>

export const DashboardSummary = Type.Object({
  ...about,
  name: Type.String(),
  description: Type.String(),
  tiles: Type.Integer({ minimum: 0 }),
})
export type DashboardSummary = Static<typeof DashboardSummary>

const list = '/api/v1/projects/:project/dashboards'
const one = '/api/v1/projects/:project/dashboards/:dashboard'
const ofEnvironment = '/api/v1/projects/:project/environments/:env/dashboards'

export const listDashboards = call({
  method: 'GET',
  path: list,
  summary: 'List the dashboards of a project, newest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Text that names or descriptions contain.' }),
    ),
  }),
  reply: Page(DashboardSummary),
})

export const createDashboard = call({
  method: 'POST',
  path: list,
  summary: 'Create a dashboard.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: DashboardDraft,
  reply: Dashboard,
  errors: ['in-use'],
})

export const importDashboard = call({
  method: 'POST',
  path: `${list}/import`,
  summary: 'Create a dashboard from an exported file.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: DashboardFile,
  reply: Dashboard,
  errors: ['in-use'],
})

export const getDashboard = call({
  method: 'GET',
  path: one,
  summary: 'Show a dashboard.',
  permission: 'project.view',
  versioned: true,
  reply: Dashboard,
})

export const exportDashboard = call({
  method: 'GET',
  path: `${one}/export`,
  summary: 'Export a dashboard as a file that any project can import.',
  permission: 'project.view',
  reply: DashboardFile,
})

export const updateDashboard = call({
  method: 'PUT',
  path: one,
  summary: 'Replace a dashboard.',
  permission: 'flags.change',
  versioned: true,
  body: DashboardDraft,
  reply: Dashboard,
})

export const deleteDashboard = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a dashboard.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
})

export const readTile = call({
  method: 'GET',
  path: `${ofEnvironment}/:dashboard/tiles/:tile`,
  summary: 'Measure a tile of a dashboard in an environment.',
  permission: 'project.view',
  query: Strict(periodQuery),
  reply: TileData,
  errors: ['query-too-large'],
})

export const previewTile = call({
  method: 'POST',
  path: `${ofEnvironment}/preview`,
  summary: 'Measure a tile that is not saved. Saves nothing.',
  permission: 'project.view',
  body: Strict({ ...periodQuery, tile: Tile }),
  reply: TileData,
  errors: ['query-too-large'],
})

export const dashboardCalls = {
  listDashboards,
  createDashboard,
  importDashboard,
  getDashboard,
  exportDashboard,
  updateDashboard,
  deleteDashboard,
  readTile,
  previewTile,
}
