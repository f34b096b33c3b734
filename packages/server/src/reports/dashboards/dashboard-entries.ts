// Dashboards as entries of flags as code, by name. Ids of tiles and alerts are those of a server, so files name neither.

import { isSame } from '@telltale/core/changes/same'
import type { CodeDashboard, CodeTile } from '@telltale/core/contract/code-document'
import type { Tile } from '@telltale/core/contract/dashboard-tiles'
import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { findAlerts } from '../../notify/alerts/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { EntryKind } from '../../release/flags-as-code/entry-kinds.ts'
import { checkDraft } from './check-tiles.ts'
import { createDashboard } from './create-dashboard.ts'
import { deleteDashboard } from './delete-dashboard.ts'
import { type DashboardRow, findDashboards } from './queries.ts'
import { updateDashboard } from './update-dashboard.ts'

export const dashboardEntries: EntryKind<CodeDashboard> = {
  read: async (db, projectId) => {
    const rows = await findAllDashboards(db, projectId)
    const alerts = await namesOfAlerts(db, projectId)
    const entries = new Map<string, CodeDashboard>()
    const leftOut: string[] = []
    for (const row of rows) {
      const isShared = rows.some(({ id, name }) => name === row.name && id !== row.id)
      const tiles = row.tiles.flatMap((tile) => codeTileOf(tile, alerts) ?? [])
      if (isShared) leftOut.push(`dashboard "${row.name}": another one has the same name`)
      else if (tiles.length < row.tiles.length)
        leftOut.push(`dashboard "${row.name}": it shows a deleted alert`)
      else entries.set(row.name, complete({ description: row.description, defaults: row.defaults, tiles }))
    }
    return { entries, leftOut: [...new Set(leftOut)] }
  },
  complete: (dashboard) => {
    checkDraft(draftOf('', dashboard, { ids: [], alerts: new Map() }))
    return complete(dashboard)
  },
  compact: ({ description, ...dashboard }) => ({ ...dashboard, ...(description && { description }) }),
  check: async (db, { project, key, entry, made }) => {
    const sameName = (await findAllDashboards(db, project.id)).filter(({ name }) => name === key)
    if (sameName.length > 1) throw problem('invalid-request', `${sameName.length} dashboards have this name.`)
    const alerts = new Set((await namesOfAlerts(db, project.id)).values())
    const errors = entry.tiles.flatMap((tile, index) =>
      tile.kind !== 'alert' || alerts.has(tile.alert) || made.alerts.has(tile.alert)
        ? []
        : [{ pointer: `/tiles/${index}/alert`, message: `There is no alert "${tile.alert}".` }],
    )
    if (errors.length > 0) throw problem('invalid-request', { errors })
  },
  write: async (context, { project, author, key, after }) => {
    const { db } = context
    const found = (await findAllDashboards(db, project.id)).find(({ name }) => name === key)
    if (after === undefined) {
      return found === undefined
        ? []
        : (await deleteDashboard.verb(context, { project, id: found.id })).changes
    }
    const names = await namesOfAlerts(db, project.id)
    const alerts = new Map([...names].map(([id, name]) => [name, id]))
    const draft = draftOf(key, after, { ids: idsOf(after, found, names), alerts })
    const done =
      found === undefined
        ? await createDashboard.verb(context, { project, owner: author, draft })
        : await updateDashboard.verb(context, { project, id: found.id, draft, ifMatch: undefined })
    return done.changes
  },
}

function complete({ description = '', defaults, tiles }: CodeDashboard): CodeDashboard {
  return { description, defaults, tiles }
}

function findAllDashboards(db: Queryable, projectId: string): Promise<DashboardRow[]> {
  return findDashboards(
    db,
    { projectId, search: undefined },
    { before: undefined, count: limits.dashboardsPerProject },
  )
}

async function namesOfAlerts(db: Queryable, projectId: string): Promise<Map<string, string>> {
  return new Map((await findAlerts(db, projectId)).map(({ row }) => [row.id, row.name]))
}

/** Undefined if its alert is gone. */
function codeTileOf(tile: Tile, alerts: ReadonlyMap<string, string>): CodeTile | undefined {
  const { id: _id, ...rest } = tile
  if (rest.kind !== 'alert') return rest
  const alert = alerts.get(rest.alert)
  return alert === undefined ? undefined : { ...rest, alert }
}

/** A tile that stays the same keeps its id. */
function idsOf(
  { tiles }: CodeDashboard,
  found: DashboardRow | undefined,
  alerts: ReadonlyMap<string, string>,
): string[] {
  const left = (found?.tiles ?? []).map((tile) => ({ id: tile.id, code: codeTileOf(tile, alerts) }))
  return tiles.map((tile) => {
    const at = left.findIndex(({ code }) => isSame(code, tile))
    const [kept] = at < 0 ? [] : left.splice(at, 1)
    return kept?.id ?? newId()
  })
}

interface Places {
  ids: readonly string[]
  /** Ids by name. */
  alerts: ReadonlyMap<string, string>
}

function draftOf(
  name: string,
  { description = '', defaults, tiles }: CodeDashboard,
  places: Places,
): DashboardDraft {
  const placed = tiles.map((tile, index): Tile => {
    const id = places.ids[index] ?? newId()
    return tile.kind === 'alert'
      ? { ...tile, id, alert: places.alerts.get(tile.alert) ?? newId() }
      : { ...tile, id }
  })
  return { name, description, defaults, tiles: placed }
}
