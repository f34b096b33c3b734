import type { IssueFilter } from '../../api/issues.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const issueViews = ['open', 'regressed', 'resolved', 'ignored', 'all'] as const
export type IssueView = (typeof issueViews)[number]

export const issueSorts = ['users', 'events', 'last-seen', 'first-seen'] as const
export type IssueSort = (typeof issueSorts)[number]

/** The list's state in the URL. */
export interface ErrorsSearch {
  /** Filter for the errors, in the filter language. */
  q?: string | undefined
  /** Default: open. */
  state?: IssueView | undefined
  assignee?: string | undefined
  /** Default: users. In descending order. */
  sort?: IssueSort | undefined
  /** The issue whose detail is open beside the list. */
  peek?: string | undefined
}

/** Names every parameter: omitted ones would pass through unvalidated. */
export function parseErrorsSearch(search: Record<string, unknown>): ErrorsSearch {
  return {
    q: textOf(search.q),
    state: issueViews.find((one) => one === search.state),
    assignee: textOf(search.assignee),
    sort: issueSorts.find((one) => one === search.sort),
    peek: textOf(search.peek),
  }
}

export interface IssueSearch {
  q?: string | undefined
  /** The shown error: its id, or `oldest`. Default: the newest. */
  event?: string | undefined
}

export function parseIssueSearch(search: Record<string, unknown>): IssueSearch {
  const event = textOf(search.event)
  return { q: textOf(search.q), event: event && /^(oldest|[0-9a-f-]{36})$/i.test(event) ? event : undefined }
}

export function issueFilterOf({ state = 'open', assignee, sort }: ErrorsSearch): IssueFilter {
  return {
    ...(state === 'all' ? {} : { state }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(sort === undefined ? {} : { sort }),
  }
}
