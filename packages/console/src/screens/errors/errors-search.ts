import type { IssueFilter } from '../../api/issues.ts'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const issueViews = ['open', 'regressed', 'resolved', 'ignored', 'all'] as const
export type IssueView = (typeof issueViews)[number]

export const issueSorts = ['users', 'events', 'last-seen', 'first-seen'] as const

/** The list's state in the URL. */
export const parseErrorsSearch = searchParser({
  /** Filter for the errors, in the filter language. */
  q: textOf,
  /** Default: open. */
  state: oneOf(...issueViews),
  assignee: textOf,
  /** Default: users. In descending order. */
  sort: oneOf(...issueSorts),
  /** Compare the variations of all users, however many. */
  exact: trueOf,
  /** The issue whose detail is open beside the list. */
  peek: textOf,
})
export type ErrorsSearch = ReturnType<typeof parseErrorsSearch>

export const parseIssueSearch = searchParser({
  q: textOf,
  /** The shown error: its id, or `oldest`. Default: the newest. */
  event: (value) => {
    const event = textOf(value)
    return event && /^(oldest|[0-9a-f-]{36})$/i.test(event) ? event : undefined
  },
})

export function issueFilterOf({ state = 'open', assignee, sort }: ErrorsSearch): IssueFilter {
  return {
    ...(state === 'all' ? {} : { state }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(sort === undefined ? {} : { sort }),
  }
}
