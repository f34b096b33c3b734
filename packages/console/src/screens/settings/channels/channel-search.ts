import { oneOf, searchParser } from '../../../ui/search-parameters.ts'
import { textOf } from '../../../ui/text/text-of.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed', 'withheld'] as const

export const parseChannelSearch = searchParser({
  state: oneOf(...deliveryStates),
  /** The delivery whose detail is open. */
  peek: textOf,
})
export type ChannelSearch = ReturnType<typeof parseChannelSearch>
