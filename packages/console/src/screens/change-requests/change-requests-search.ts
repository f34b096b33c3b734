/** The filters as in the URL; `on` is the environment, in addition to that of the scope. */
export interface ChangesSearch<State extends string> {
  state?: State | undefined
  on?: string | undefined
  flag?: string | undefined
  author?: string | undefined
  /** The scheduled change that is open above the list. */
  change?: string | undefined
}

export const requestStates = ['open', 'approved', 'conflicted', 'applied', 'declined', 'withdrawn'] as const
export const scheduledStates = ['pending', 'applied', 'failed', 'cancelled'] as const

export type RequestState = (typeof requestStates)[number]
export type ScheduledState = (typeof scheduledStates)[number]

export function parseChangesSearch<State extends string>(states: readonly State[]) {
  return (search: Record<string, unknown>): ChangesSearch<State> => ({
    state: states.find((state) => state === search.state),
    on: textOf(search.on),
    flag: textOf(search.flag),
    author: textOf(search.author),
    change: textOf(search.change),
  })
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length <= 128 ? text : undefined
}
