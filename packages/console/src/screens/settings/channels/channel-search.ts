import { textOf } from '../../../ui/text/text-of.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed', 'withheld'] as const

export interface ChannelSearch {
  state?: (typeof deliveryStates)[number] | undefined
  /** The delivery whose detail is open. */
  peek?: string | undefined
}

export function parseChannelSearch(search: Record<string, unknown>): ChannelSearch {
  return { state: deliveryStates.find((one) => one === search.state), peek: textOf(search.peek) }
}
