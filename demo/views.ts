// Saved views of the team: where users leave on the way to an order, and what the new checkout changes.

import type { ViewScreen } from '@telltale/core/contract/saved-views'
import { mara } from './people.ts'

export interface DemoView {
  by: string
  ago: number
  screen: ViewScreen
  name: string
  search: string
}

const day = 86_400_000
const funnel = (
  name: string,
  search: { steps: string; t: string; by?: string; control?: string },
): DemoView => ({
  by: mara,
  ago: 2 * day,
  screen: 'explore/funnel',
  name,
  search: new URLSearchParams(search).toString(),
})
const ordered = 'kind:custom name:order_placed'

export const views: DemoView[] = [
  funnel('From product to order', {
    steps: `kind:view page:/p/:product -> kind:view page:/cart -> kind:view page:/checkout -> ${ordered}`,
    t: '7d',
  }),
  funnel('Orders by checkout', {
    steps: `kind:view page:/checkout -> kind:action name:"Place order" -> ${ordered}`,
    t: '7d',
    by: 'flag:checkout-v2',
    control: 'classic',
  }),
]
