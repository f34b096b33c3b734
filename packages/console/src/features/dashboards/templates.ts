// Dashboards to start from. Their texts say what to look at; every tile can be changed.

import type { DashboardDraft, Tile, TileOf } from '../../api/dashboards.ts'
import { newPlacement } from './new-tile.ts'

export interface DashboardTemplate {
  readonly id: string
  readonly name: string
  readonly note: string
  /** It is about one flag, which is asked for. */
  readonly ofFlag?: true
  readonly make: (flag: string) => Pick<DashboardDraft, 'description' | 'tiles' | 'defaults'>
}

type Explored = Omit<TileOf<'explore'>, keyof ReturnType<typeof newPlacement> | 'kind'>
type Placed = Partial<Pick<Tile, 'title' | 'width' | 'height'>>

const explored = (tile: Explored, placed: Placed = {}): Tile => ({
  ...newPlacement('explore', tile.chart),
  ...placed,
  kind: 'explore',
  ...tile,
})

const p75 = (field: 'lcp' | 'inp' | 'cls', by?: string): Explored => ({
  chart: 'line',
  event: 'vital',
  measure: 'p75',
  field,
  ...(by === undefined ? {} : { by, top: 5 }),
})

const number = (tile: Omit<Explored, 'chart'>, title: string) =>
  explored({ ...tile, chart: 'number' }, { title })

const failed = { event: 'resource', measure: 'share', part: 'failed:true', filter: 'endpoint:*' } as const

/** Of users who were exposed. */
const perVariation = (flag: string) => ({ by: `flag:${flag}`, top: 5, filter: `flag:${flag}` })

export const templates: readonly DashboardTemplate[] = [
  {
    id: 'web-vitals',
    name: 'Web vitals',
    note: 'Loading, responsiveness and stability, by page and browser.',
    make: () => ({
      description: 'How fast pages load and respond.',
      defaults: { range: '24h' },
      tiles: [
        { ...newPlacement('vitals'), kind: 'vitals' },
        explored(p75('lcp')),
        explored(p75('inp')),
        explored({ ...p75('lcp', 'page'), chart: 'table', top: 10 }),
        explored({ ...p75('cls', 'page'), chart: 'table', top: 10 }),
        explored(p75('lcp', 'browser')),
        explored(p75('lcp', 'device')),
      ],
    }),
  },
  {
    id: 'errors',
    name: 'Errors',
    note: 'How many users see errors, where, and since which version.',
    make: () => ({
      description: 'Errors of pages and failed requests.',
      defaults: { range: '24h' },
      tiles: [
        number({ event: 'error', measure: 'count' }, 'Errors'),
        number({ event: 'error', measure: 'users' }, 'Users with errors'),
        number(failed, 'Failed requests'),
        number({ event: 'action', measure: 'count', filter: 'frustration:rage' }, 'Rage clicks'),
        explored({ chart: 'bar', event: 'error', measure: 'count', by: 'version', top: 5 }, { width: 12 }),
        explored(
          { chart: 'table', event: 'error', measure: 'users', by: 'error', top: 10 },
          { title: 'Users with errors, by message' },
        ),
        explored({ chart: 'table', event: 'error', measure: 'count', by: 'page', top: 10 }),
        explored(
          { chart: 'table', ...failed, by: 'endpoint', top: 10 },
          { title: 'Failed requests by endpoint' },
        ),
        explored(
          { chart: 'table', event: 'error', measure: 'users', by: 'browser', top: 10 },
          { title: 'Users with errors, by browser' },
        ),
      ],
    }),
  },
  {
    id: 'release-health',
    name: 'Release health',
    note: 'Versions side by side: adoption, errors and speed.',
    make: () => ({
      description: 'The versions of the application side by side.',
      defaults: { range: '7d' },
      tiles: [
        number({ measure: 'sessions' }, 'Sessions'),
        number({ measure: 'users' }, 'Users'),
        number({ event: 'error', measure: 'users' }, 'Users with errors'),
        number({ event: 'vital', measure: 'p75', field: 'lcp' }, 'LCP p75'),
        explored({ chart: 'bar', event: 'view', measure: 'count', by: 'version', top: 5 }),
        explored({ chart: 'bar', event: 'error', measure: 'count', by: 'version', top: 5 }),
        explored(p75('lcp', 'version')),
        explored(p75('inp', 'version')),
      ],
    }),
  },
  {
    id: 'rollout-room',
    name: 'Rollout room',
    note: 'One flag: its guarded rollout, its impact, and the variations over time.',
    ofFlag: true,
    make: (flag) => ({
      description: `The rollout of ${flag}.`,
      defaults: { range: '24h' },
      tiles: [
        { ...newPlacement('rollout'), kind: 'rollout', flag },
        { ...newPlacement('impact'), width: 8, kind: 'impact', flag },
        explored({ ...p75('lcp'), ...perVariation(flag) }, { title: 'LCP p75 by variation' }),
        explored({ ...p75('inp'), ...perVariation(flag) }, { title: 'INP p75 by variation' }),
        explored(
          { chart: 'bar', event: 'error', measure: 'count', ...perVariation(flag) },
          { title: 'Errors by variation' },
        ),
        explored(
          { chart: 'line', event: 'exposure', measure: 'users', ...perVariation(flag) },
          { title: 'Users by variation' },
        ),
      ],
    }),
  },
]
