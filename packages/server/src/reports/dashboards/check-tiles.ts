import type { ExploreTile, Tile } from '@telltale/core/contract/dashboard-tiles'
import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import { type Fault, Problem, problem } from '@telltale/core/errors'
import { readMeasure } from '../../monitoring/explore/explore.ts'
import { readFilter } from '../../monitoring/explore/open-question.ts'
import { readGroups } from '../../monitoring/explore/read-groups.ts'
import { groupsOf } from '../../monitoring/explore/source.ts'
import { readFunnel } from '../../monitoring/funnels/measure-funnel.ts'

/** Fields of the filter language in one grouping. */
const fieldsAtOnce = 2

/**
 * Throws `invalid-request` with the faults of every tile. Flags, metrics and alerts need not exist: a tile outlives
 * them, and a file may come from another project.
 */
export function checkDraft({ tiles, defaults }: DashboardDraft): void {
  const ids = tiles.map(({ id }) => id)
  const errors = [
    ...faultsOf('/defaults', () => checkFilter(defaults.filter)),
    ...tiles.flatMap((tile, index) => [
      ...(ids.indexOf(tile.id) === index
        ? []
        : [{ pointer: `/tiles/${index}/id`, message: 'is the id of another tile' }]),
      ...faultsOf(`/tiles/${index}`, () => checkTile(tile)),
    ]),
  ]
  if (errors.length > 0) throw problem('invalid-request', { errors })
}

/** Throws `invalid-request` for an invalid query. */
export function checkTile(tile: Tile): void {
  if (tile.kind === 'explore') checkQuery(tile)
  if (tile.kind === 'vitals') checkFilter(tile.filter)
  if (tile.kind === 'funnel') {
    checkFilter(tile.filter)
    readFunnel(tile)
  }
}

function checkQuery({ by, filter, event: kind, ...measured }: ExploreTile): void {
  checkFilter(filter)
  readMeasure(measured, kind)
  if (by !== undefined) readGroups(by, { pointer: '/by', most: fieldsAtOnce, canGroup: groupsOf(kind) })
}

function checkFilter(filter: string | undefined): void {
  if (filter !== undefined) readFilter(filter, '/filter')
}

/** Those readers point into a query or a body; here they point below the tile. */
function faultsOf(place: string, check: () => void): Fault[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid-request') throw error
    return (error.context.errors ?? []).map(({ pointer, message }) => ({
      pointer: `${place}/${pointer.replace(/^[?/]/, '')}`,
      message,
    }))
  }
}
