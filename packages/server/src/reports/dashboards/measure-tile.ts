// The data of one tile, by the same reads as the screens. Needs no caller: a shared dashboard is measured by it too.

import type { Tile, TileData } from '@telltale/core/contract/dashboard-tiles'
import { Problem } from '@telltale/core/errors'
import type { Filter } from '@telltale/core/query/filter'
import { emptyFilter } from '@telltale/core/query/filter'
import { getImpact } from '../../guard/impact/get-impact.ts'
import { metricsOf } from '../../guard/metrics/named-metrics.ts'
import { findRollouts } from '../../guard/rollouts/queries.ts'
import { toSummaries } from '../../guard/rollouts/rollout.ts'
import { askIn, namesIssues, readFilter, readSpan } from '../../monitoring/explore/open-question.ts'
import { measureFunnel } from '../../monitoring/funnels/measure-funnel.ts'
import { compareVitals } from '../../monitoring/overview/compare-vitals.ts'
import { describeAlert } from '../../notify/alerts/alert.ts'
import { getAlert } from '../../notify/alerts/queries.ts'
import type { Services } from '../../platform/services.ts'
import { findFlag } from '../../release/flags/queries.ts'
import { measureExplored } from './measure-explored.ts'

export interface TileQuestion {
  project: { id: string; key: string }
  environment: { id: string; key: string; timeZone: string }
  tile: Tile
  /** The last day by default. */
  period: { from?: string; to?: string }
  /** In addition to that of the tile. */
  filter: string | undefined
}

type Asked<Kind extends Tile['kind']> = Omit<TileQuestion, 'tile'> & { tile: Extract<Tile, { kind: Kind }> }

type TileServices = Pick<Services, 'db' | 'telemetry' | 'clock'>

/**
 * What the tile names but the project no longer has is an answer, not an error. Throws what a query throws:
 * `engine-unavailable`, `query-too-large`, `invalid-request`.
 */
export async function measureTile(services: TileServices, asked: TileQuestion): Promise<TileData> {
  const { tile } = asked
  switch (tile.kind) {
    case 'explore': {
      const question = await openTileQuestion(services, { ...asked, tile })
      return measureExplored(question, tile)
    }
    case 'vitals': {
      const question = await openTileQuestion(services, { ...asked, tile })
      return { kind: 'vitals', ...(await compareVitals(question)) }
    }
    case 'funnel': {
      const question = await openTileQuestion(services, { ...asked, tile })
      return { kind: 'funnel', now: await measureFunnel(question, tile) }
    }
    case 'impact':
      return measureImpact(services, { ...asked, tile })
    case 'rollout':
      return findNewestRollout(services, { ...asked, tile })
    case 'alert':
      return readAlert(services, { ...asked, tile })
    case 'text':
      return { kind: 'text' }
  }
}

async function openTileQuestion(
  services: TileServices,
  { environment, tile, period, filter }: Asked<'explore' | 'funnel' | 'vitals'>,
) {
  const both = joinFilters(readOptional(filter, '?filter'), readOptional(tile.filter, '/tile/filter'))
  const isAboutIssues = namesIssues({ ...tile, title: '', filter: `${filter ?? ''} ${tile.filter ?? ''}` })
  return askIn(services, environment, {
    ...readSpan(period, services.clock()),
    filter: both,
    isAboutIssues,
  })
}

const readOptional = (text: string | undefined, pointer: string) =>
  text === undefined ? emptyFilter : readFilter(text, pointer)

const joinFilters = (a: Filter, b: Filter): Filter => ({
  chips: [...a.chips, ...b.chips],
  words: [...a.words, ...b.words],
})

async function measureImpact(
  services: TileServices,
  { project, environment, tile }: Asked<'impact'>,
): Promise<TileData> {
  const flag = await findFlag(services.db, project.id, tile.flag)
  if (flag === undefined) return { kind: 'missing', what: 'flag', key: tile.flag }
  const { metric } = tile
  if (metric !== undefined) {
    const known = await metricsOf(services, project.id)
    if (!known.some(({ definition }) => definition.key === metric))
      return { kind: 'missing', what: 'metric', key: metric }
  }
  const { compared } = await getImpact(services, {
    projectId: project.id,
    ref: { flagId: flag.id, environmentId: environment.id },
    query: {},
  })
  const comparisons = compared?.comparisons.map((one) => ({
    ...one,
    metrics: one.metrics.filter((found) => metric === undefined || found.metric === metric),
  }))
  return {
    kind: 'impact',
    flag: { key: flag.key, name: flag.name },
    compared: compared && { ...compared, comparisons: comparisons ?? [] },
  }
}

async function findNewestRollout(
  { db }: TileServices,
  { project, environment, tile }: Asked<'rollout'>,
): Promise<TileData> {
  const flag = await findFlag(db, project.id, tile.flag)
  if (flag === undefined) return { kind: 'missing', what: 'flag', key: tile.flag }
  const newest = await findRollouts(
    db,
    { projectId: project.id, filter: { env: environment.key, flag: flag.key } },
    { before: undefined, count: 1 },
  )
  const [found] = await toSummaries(db, newest)
  if (found === undefined) return { kind: 'rollout', flag: { key: flag.key, name: flag.name }, rollout: null }
  const { startedBy: _startedBy, turn: _turn, telltale: _telltale, ...rollout } = found
  return { kind: 'rollout', flag: { key: flag.key, name: flag.name }, rollout }
}

async function readAlert({ db }: TileServices, { project, tile }: Asked<'alert'>): Promise<TileData> {
  try {
    const found = await describeAlert(db, await getAlert(db, { project, id: tile.alert }))
    const { channels: _channels, createdBy: _createdBy, version: _version, ...alert } = found
    return { kind: 'alert', alert }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not-found') throw error
    return { kind: 'missing', what: 'alert', key: tile.alert }
  }
}
