import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** What a monitoring screen asks about: which events of which environment, over which time. */
export interface Question {
  readonly project: string
  readonly env: string
  /** As it stands in the address: two questions of one range are the same, however late they are asked. */
  readonly range: string
  /** In the filter language; empty for all events. */
  readonly filter: string
  /** Reads the range when it is asked. */
  readonly bounds: () => { from: number; to: number }
  /** Asked again after this many milliseconds; never when the range has ended. */
  readonly again: number | false
}

export interface Asked {
  params: { project: string; env: string }
  query: { from: string; to: string; filter: string | undefined }
  signal: AbortSignal
}

/**
 * The query of one call about a question. `name` tells calls, and what else they are asked for, apart. Old answers stay
 * while new ones are on their way.
 */
export function questionQuery<Reply>(
  question: Question,
  name: readonly unknown[],
  ask: (asked: Asked) => Promise<Reply>,
) {
  const { project, env, range, filter } = question
  return queryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', ...name, range, filter],
    queryFn: ({ signal }) => ask(askedOf(question, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: question.again,
  })
}

/** Path and period of a call, for those that page or do not go through `questionQuery`. */
export function askedOf({ project, env, filter, bounds }: Question, signal: AbortSignal): Asked {
  const { from, to } = bounds()
  return {
    params: { project, env },
    query: {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      filter: filter === '' ? undefined : filter,
    },
    signal,
  }
}

/** The same of the time before, as long. */
export function questionBefore(question: Question): Question {
  return {
    ...question,
    range: `before ${question.range}`,
    bounds() {
      const { from, to } = question.bounds()
      return { from: 2 * from - to, to: from }
    },
  }
}
