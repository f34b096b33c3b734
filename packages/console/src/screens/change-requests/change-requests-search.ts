import { oneOf, searchParser, shortTextOf } from '../../ui/search-parameters.ts'

export const scheduledStates = ['pending', 'applied', 'failed', 'cancelled'] as const
export type ScheduledState = (typeof scheduledStates)[number]

export const parseChangesSearch = <State extends string>(states: readonly State[]) =>
  searchParser({
    state: oneOf(...states),
    /** The environment, in addition to that of the scope. */
    on: shortTextOf,
    flag: shortTextOf,
    author: shortTextOf,
    /** The scheduled change that is open above the list. */
    change: shortTextOf,
  })
export type ChangesSearch<State extends string> = ReturnType<ReturnType<typeof parseChangesSearch<State>>>
