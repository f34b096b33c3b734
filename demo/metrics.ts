// What the shop earns, as metrics over its custom events.

import { mara, tomo } from './people.ts'

export interface DemoMetric {
  by: string
  key: string
  name: string
  event: string
  aggregation: 'proportion' | 'mean' | 'sum'
  better: 'higher'
  unit: string
  limit: number
}

export const metrics: DemoMetric[] = [
  {
    by: tomo,
    key: 'order-value',
    name: 'Order value',
    event: 'order_placed',
    aggregation: 'mean',
    better: 'higher',
    unit: '€',
    limit: 0.1,
  },
  {
    by: tomo,
    key: 'revenue-per-user',
    name: 'Revenue per user',
    event: 'order_placed',
    aggregation: 'sum',
    better: 'higher',
    unit: '€',
    limit: 0.1,
  },
  {
    by: mara,
    key: 'users-who-order',
    name: 'Users who order',
    event: 'order_placed',
    aggregation: 'proportion',
    better: 'higher',
    unit: '%',
    limit: 0.05,
  },
]
