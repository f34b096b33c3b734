// The shop's experiments: one that ended better, and one that goes on.

import type { FlagDraft } from '@telltale/core/contract/flags'
import { mara, tomo } from './people.ts'

const day = 86_400_000

export interface DemoExperiment {
  by: string
  ago: number
  flag: string
  name: string
  hypothesis: string
  goals: {
    metric: string
    gain: number
    margin: number
    window?: number
    funnel?: { name: string; steps: string }
  }[]
  days: number
  /** What the traffic of the days before said: shares of users, and caps of totals. */
  bases: Readonly<Record<string, { rate?: number; cap?: number }>>
  end?: { ago: number; variation: string; note: string }
}

/** Served to half of all until the experiment ended. */
export const summaryFlag: FlagDraft & { by: string } = {
  clientVisible: true,
  by: tomo,
  key: 'cart-summary',
  name: 'Summary in the cart',
  description: 'Delivery day and all costs beside the cart, before the checkout.',
  valueType: 'boolean',
  tags: ['checkout'],
}

export const experiments: DemoExperiment[] = [
  {
    by: tomo,
    ago: 6.8 * day,
    flag: summaryFlag.key,
    name: 'Do customers order more if they see all costs in the cart?',
    hypothesis: 'Two thirds of the carts end before the checkout. Customers ask us what delivery costs.',
    goals: [
      { metric: 'users-who-order', gain: 0.1, margin: 0.05 },
      { metric: 'revenue-per-user', gain: 0.1, margin: 0.05 },
    ],
    days: 5,
    bases: { 'users-who-order': { rate: 0.3 }, 'revenue-per-user': { cap: 2_400 } },
    end: { ago: 1.1 * day, variation: 'on', note: 'Clear for orders. We keep it, for everyone.' },
  },
  {
    by: mara,
    ago: 4.25 * day,
    flag: 'checkout-v2',
    name: 'Does one page sell more than three steps?',
    hypothesis: 'Fewer steps, fewer customers who give up.',
    goals: [
      { metric: 'revenue-per-user', gain: 0.1, margin: 0.05 },
      { metric: 'users-who-order', gain: 0.1, margin: 0.05, window: day },
      {
        ...{ metric: 'checkout-to-order', gain: 0.1, margin: 0.05, window: day },
        funnel: {
          name: 'From the checkout to an order',
          steps: 'kind:view page:/checkout -> kind:custom name:order_placed',
        },
      },
    ],
    days: 14,
    bases: {
      'users-who-order': { rate: 0.6 },
      'revenue-per-user': { cap: 2_400 },
      'checkout-to-order': { rate: 0.6 },
    },
  },
]
