import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/dashboards'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'
import { createGate } from './gate.ts'
import { periodRequestOf, type Question } from './question.ts'

export type Dashboard = ReplyOf<typeof contract.getDashboard>
export type DashboardRow = ReplyOf<typeof contract.listDashboards>['items'][number]
export type DashboardDraft = BodyOf<typeof contract.createDashboard>
export type DashboardFile = ReplyOf<typeof contract.exportDashboard>
export type Tile = Dashboard['tiles'][number]
export type TileOf<Kind extends Tile['kind']> = Extract<Tile, { kind: Kind }>
export type TileData = ReplyOf<typeof contract.previewTile>
export type TileDataOf<Kind extends TileData['kind']> = Extract<TileData, { kind: Kind }>

export interface DashboardRef {
  project: string
  dashboard: string
}

export const dashboardsKey = (project: string) => ['projects', project, 'dashboards']

/** Newest first, page by page. */
export const dashboardsQuery = (project: string, search?: string) =>
  infiniteQueryOptions({
    queryKey: [...dashboardsKey(project), 'list', search ?? ''],
    queryFn: ({ pageParam, signal }) =>
      request(calls.dashboards.listDashboards, {
        params: { project },
        query: { search, limit: limits.pageSizeMaximum, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const dashboardQuery = (place: DashboardRef) =>
  queryOptions({
    queryKey: [...dashboardsKey(place.project), place.dashboard],
    queryFn: ({ signal }) => request(calls.dashboards.getDashboard, { params: { ...place }, signal }),
  })

/** A dashboard of forty tiles must not delay the requests of the rest of the screen. */
const tileGate = createGate(4)
/** States of rollouts and alerts change in a period that has ended, too. */
const statesAgain = 30_000

/** What the data of a tile depends on: moving or renaming it measures nothing again. */
function measuredPart({ id: _id, title: _title, width: _width, height: _height, ...measured }: Tile) {
  return measured
}

/** The same measurement whether the tile is saved or not. `saved` names the dashboard that has it as it is. */
export function tileQuery(question: Question, tile: Tile, saved: string | undefined) {
  const { project, env, range, filter } = question
  const isState = tile.kind === 'rollout' || tile.kind === 'alert' || tile.kind === 'impact'
  return queryOptions({
    queryKey: [
      'projects',
      project,
      'environments',
      env,
      'telemetry',
      'tile',
      measuredPart(tile),
      range,
      filter,
    ],
    queryFn: ({ signal }) =>
      tileGate(signal, () => {
        const { params, query } = periodRequestOf(question, signal)
        if (saved !== undefined) {
          const place = { ...params, dashboard: saved, tile: tile.id }
          return request(calls.dashboards.readTile, { params: place, query, signal })
        }
        const { filter: given, ...period } = query
        const body = { tile, ...period, ...(given === undefined ? {} : { filter: given }) }
        return request(calls.dashboards.previewTile, { params, body, signal })
      }),
    placeholderData: keepPreviousData,
    refetchInterval: tile.kind === 'text' ? false : isState ? statesAgain : question.again,
    enabled: tile.kind !== 'text',
  })
}

export function createDashboard(requested: {
  project: string
  draft: DashboardDraft
  idempotencyKey: string
}) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.dashboards.createDashboard, { params: { project }, body: draft, idempotencyKey })
}

/** The server checks the file: it is sent as it was read. */
export function importDashboard(requested: { project: string; file: DashboardFile; idempotencyKey: string }) {
  const { project, file, idempotencyKey } = requested
  return request(calls.dashboards.importDashboard, { params: { project }, body: file, idempotencyKey })
}

export const exportDashboard = (place: DashboardRef) =>
  request(calls.dashboards.exportDashboard, { params: { ...place } })

export function updateDashboard(requested: DashboardRef & { draft: DashboardDraft; version: number }) {
  const { project, dashboard, draft, version } = requested
  return request(calls.dashboards.updateDashboard, {
    params: { project, dashboard },
    body: draft,
    ifMatch: version,
  })
}

export const deleteDashboard = (place: DashboardRef) =>
  request(calls.dashboards.deleteDashboard, { params: { ...place } })

export const draftOf = ({ name, description, tiles, defaults }: DashboardDraft): DashboardDraft => ({
  name,
  description,
  tiles,
  defaults,
})
