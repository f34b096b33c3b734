// What the team of the shop looks at in the morning.

import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import { mara } from './people.ts'

type Tile = DashboardDraft['tiles'][number]
type WithoutId<One> = One extends Tile ? Omit<One, 'id'> : never

export interface DemoDashboard extends Omit<DashboardDraft, 'tiles'> {
  by: string
  ago: number
  /** An alert by its name, because it has no id yet. */
  tiles: WithoutId<Tile>[]
}

const day = 86_400_000
const small = { title: '', width: 3, height: 'small' } as const
const half = { title: '', width: 6, height: 'medium' } as const
const number = { ...small, kind: 'explore', chart: 'number' } as const
const line = { ...half, kind: 'explore', chart: 'line' } as const

export const dashboards: DemoDashboard[] = [
  {
    by: mara,
    ago: 2 * day,
    name: 'Shop this week',
    description: 'Orders, errors and speed, and the changes that move them.',
    defaults: { range: '7d' },
    tiles: [
      {
        title: 'Read this first',
        width: 12,
        height: 'small',
        kind: 'text',
        text: 'Orders failed on one afternoon: see *Too many errors* and its replays. **3.9.0** went out in the middle of the week.',
      },
      { ...number, title: 'Orders', event: 'custom', measure: 'count', filter: 'name:order_placed' },
      { ...number, title: 'Sessions', measure: 'sessions' },
      { ...number, title: 'Users with errors', event: 'error', measure: 'users' },
      { ...number, title: 'LCP p75', event: 'vital', measure: 'p75', field: 'lcp' },
      { ...line, event: 'error', measure: 'count', by: 'error', top: 5 },
      {
        ...line,
        title: 'Orders by checkout',
        event: 'custom',
        measure: 'count',
        filter: 'name:order_placed',
        by: 'flag:checkout-v2',
        top: 5,
      },
      {
        ...half,
        width: 4,
        title: 'From the checkout to an order',
        kind: 'funnel',
        steps: 'kind:view page:/checkout -> kind:custom name:order_placed',
        by: 'flag:checkout-v2',
      },
      { ...half, width: 4, kind: 'rollout', flag: 'sticky-cart' },
      { ...half, width: 4, kind: 'alert', alert: 'Too many errors' },
      { ...half, width: 12, kind: 'impact', flag: 'new-gallery' },
      { ...half, width: 12, kind: 'vitals' },
    ],
  },
]
