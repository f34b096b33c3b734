// Tiles in words, and an Explore tile as a question of Explore and back.

import type { Tile, TileData, TileOf } from '../../api/dashboards.ts'
import { fieldLabel, readFields } from '../../ui/filter/field-words.ts'
import { measureLabel } from '../../ui/text/measure-words.ts'
import { type MeasuredThing, needsField, usualField } from '../../ui/text/measured-thing.ts'
import type { FunnelSearch } from '../explore/behaviour-search.ts'
import { type ExploreSearch, tops } from '../explore/explore-search.ts'

export const kindNames: Readonly<Record<Tile['kind'], string>> = {
  explore: 'Chart or number',
  vitals: 'Web vitals',
  funnel: 'Funnel',
  impact: 'Flag impact',
  rollout: 'Guarded rollout',
  alert: 'Alert',
  text: 'Text',
}

export const chartNames: Readonly<Record<TileOf<'explore'>['chart'], string>> = {
  line: 'Line',
  bar: 'Bars',
  table: 'Table',
  number: 'Number',
}

export function thingOf({ event, measure, field, part }: TileOf<'explore'>): MeasuredThing {
  return { measure, of: field, kind: event, part }
}

/** Its own title, or what it shows. */
export function tileTitle(tile: Tile, data?: TileData): string {
  if (tile.title !== '') return tile.title
  switch (tile.kind) {
    case 'explore': {
      const fields = tile.chart === 'number' ? [] : readFields(tile.by)
      const by = fields.length === 0 ? '' : ` by ${fields.map(fieldLabel).join(' and ')}`
      return `${measureLabel(thingOf(tile))}${by}`
    }
    case 'impact':
      return `Impact of ${tile.flag}`
    case 'rollout':
      return `Rollout of ${tile.flag}`
    case 'alert':
      return data?.kind === 'alert' ? data.alert.name : 'Alert'
    case 'vitals':
      return 'Web vitals'
    case 'funnel': {
      const fields = readFields(tile.by)
      return fields.length === 0 ? 'Funnel' : `Funnel by ${fields.map(fieldLabel).join(' and ')}`
    }
    case 'text':
      return 'Text'
  }
}

/** The same question on the Explore screen. */
export function searchOfTile(tile: TileOf<'explore'>): ExploreSearch {
  return {
    ...thingOf(tile),
    q: tile.filter,
    by: tile.by,
    top: tops.find((top) => top === tile.top),
    step: tile.step,
    look: tile.chart === 'bar' ? 'bars' : undefined,
    compare: tile.chart === 'number' ? true : undefined,
  }
}

/** The same funnel on its screen. */
export function funnelSearchOf({ steps, unit, window, by, filter }: TileOf<'funnel'>): FunnelSearch {
  return { q: filter, steps, unit: unit === 'session' ? unit : undefined, window, by }
}

type Measured = Omit<TileOf<'explore'>, 'id' | 'title' | 'width' | 'height'>

/** Undefined for a share without a condition, which is no question yet. */
export function measuredOf(search: ExploreSearch, chart: Measured['chart']): Measured | undefined {
  const { measure = 'count', of, kind, part, q, by, top, step } = search
  if (measure === 'share' && part === undefined) return undefined
  return {
    kind: 'explore',
    chart,
    measure,
    ...(kind === undefined ? {} : { event: kind }),
    ...(needsField(measure) ? { field: of ?? usualField(kind) } : {}),
    ...(measure === 'share' && part !== undefined ? { part } : {}),
    ...(by === undefined ? {} : { by }),
    ...(by === undefined || top === undefined ? {} : { top }),
    ...(step === undefined ? {} : { step }),
    ...(q === undefined ? {} : { filter: q }),
  }
}

/** The chart in which a question of Explore is shown as it is there. */
export function chartOf({ look, compare, by }: ExploreSearch): Measured['chart'] {
  if (compare === true && by === undefined) return 'number'
  return look === undefined || look === 'lines' ? 'line' : 'bar'
}
