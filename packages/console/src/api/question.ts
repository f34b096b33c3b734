import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** The scope of a monitoring screen: which events, of which environment, over which period. */
export interface Question {
  readonly project: string
  readonly env: string
  /** The range as in the URL, so that two queries of the same range are equal at any time. */
  readonly range: string
  /** In the filter language; empty for all events. */
  readonly filter: string
  /** Resolves the range at request time. */
  readonly bounds: () => { from: number; to: number }
  /** Refetch interval in milliseconds; never when the range has ended. */
  readonly again: number | false
  /** All events are read, however many there are; otherwise possibly those of a sample of the users. */
  readonly isExact?: boolean
}

export interface PeriodRequest {
  params: { project: string; env: string }
  query: { from: string; to: string; filter: string | undefined }
  signal: AbortSignal
}

/**
 * The query of one call about a question. `name` distinguishes calls and their further parameters. Keeps the
 * previous data while new data loads.
 */
export function questionQuery<Reply>(
  question: Question,
  name: readonly unknown[],
  ask: (requested: PeriodRequest) => Promise<Reply>,
) {
  const { project, env, range, filter, isExact } = question
  return queryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', ...name, range, filter, isExact],
    queryFn: ({ signal }) => ask(periodRequestOf(question, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: question.again,
  })
}

/** Path and period of a call, for calls that page or bypass `questionQuery`. */
export function periodRequestOf(
  { project, env, filter, bounds }: Question,
  signal: AbortSignal,
): PeriodRequest {
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

/** The parameter of calls that can read a sample. */
export const exactQueryOf = ({ isExact }: Pick<Question, 'isExact'>) =>
  isExact ? { exact: 'true' as const } : {}

/** The same for the previous period. */
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
