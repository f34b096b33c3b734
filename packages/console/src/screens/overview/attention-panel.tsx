import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { listOutcomes } from '@telltale/core/contract/intake'
import type { ReactNode } from 'react'
import { outcomesQuery } from '../../api/intake.ts'
import { returnedIssuesQuery, type SeenIssue } from '../../api/overview.ts'
import type { Question } from '../../api/question.ts'
import { compareTelltales, needsAttention, telltaleId } from '../../features/telltale/telltale-words.ts'
import { useTelltales } from '../../features/telltale/use-telltale.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { countOf, shareText, vitalText } from '../../ui/text/measure-text.ts'
import { RatingMark } from '../../ui/text/vital-value.tsx'
import { GuardItem } from './guard-item.tsx'
import { findWorseRatings, type MovedPage } from './moved-pages.ts'
import { errorText } from './new-errors-panel.tsx'
import { useMovedPages } from './use-moved-pages.ts'

/** Outcomes that are not problems. */
const meant = ['accepted', 'repeated', 'sampled_out', 'erased_person']
const noticedShare = 0.01

/** Dropped events are missing in every number of the screen. */
function findIntakeTrouble({ outcomes, quarantined }: ReplyOf<typeof listOutcomes>): string[] {
  const sent = outcomes.reduce((sum, { count }) => sum + count, 0)
  const dropped = outcomes.reduce((sum, { reason, count }) => (meant.includes(reason) ? sum : sum + count), 0)
  const share = sent === 0 ? 0 : dropped / sent
  return [
    ...(share >= noticedShare
      ? [`${countOf(dropped, 'event')} dropped, ${shareText(share)} of all received.`]
      : []),
    ...(quarantined > 0
      ? [`${countOf(quarantined, 'row')} in quarantine: rejected by the telemetry store.`]
      : []),
  ]
}

const shownOfEach = 3

/** Problems: flags that harm users, regressed errors, pages with a worse rating than before, dropped events. */
export function AttentionPanel({ question }: { question: Question }) {
  const returned = useQuery(returnedIssuesQuery(question))
  const { now, before, moved } = useMovedPages(question)
  const outcomes = useQuery(outcomesQuery(question, question))
  const trouble = outcomes.data && findIntakeTrouble(outcomes.data)
  const worse = moved?.filter((page) => findWorseRatings(page).length > 0)
  const unread = [returned.error, now.error ?? before.error, outcomes.error].filter((error) => error !== null)
  const isLoading = !returned.data && !moved && !outcomes.data && unread.length === 0

  const guards = (useTelltales() ?? [])
    .filter((one) => needsAttention(one, Date.now()))
    .toSorted(compareTelltales)

  const items: ReactNode[] = [
    ...guards.map((one) => <GuardItem key={telltaleId(one)} telltale={one} />),
    ...(trouble ?? []).map((one) => <IntakeItem key={one} text={one} />),
    ...(returned.data ?? []).slice(0, shownOfEach).map((issue) => <IssueItem key={issue.id} issue={issue} />),
    ...(worse ?? []).slice(0, shownOfEach).map((page) => <PageItem key={page.page.page} page={page} />),
  ]
  return (
    <Panel title="Needs attention" flush>
      {isLoading ? (
        <Skeleton rows={3} />
      ) : (
        <ul className="divide-y divide-line">
          {items}
          {items.length === 0 && unread.length === 0 && (
            <li className="px-14 py-12 text-pretty text-text-2">
              All clear. No regressions in rollouts, no errors came back, no pages got worse, and no data was
              dropped.
            </li>
          )}
          {unread.length > 0 && (
            <li className="px-14 py-12 text-pretty text-text-2">
              {items.length > 0 ? 'One source' : 'This'} cannot be loaded right now. Retrying.
            </li>
          )}
        </ul>
      )}
    </Panel>
  )
}

type ItemProps = { name: ReactNode; state: ReactNode; children: ReactNode }

function Item({ name, state, children }: ItemProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 px-14 py-10">
      <span className="flex items-center justify-between gap-8">
        <span className="min-w-0 flex-1">{name}</span>
        {state}
      </span>
      <span className="text-12 text-text-2">{children}</span>
    </li>
  )
}

const nameClass = 'block truncate font-code font-medium text-12 hover:underline'

function IssueItem({ issue }: { issue: SeenIssue }) {
  return (
    <Item
      name={
        <Link
          from="/p/$project"
          to="/p/$project/errors/$issue"
          params={{ issue: issue.id }}
          className={nameClass}
          title={errorText(issue)}
        >
          {errorText(issue)}
        </Link>
      }
      state={<span className="shrink-0 font-medium text-bad">Regressed</span>}
    >
      {countOf(issue.sessions, 'session')}
      {issue.resolvedIn && ` · resolved in ${issue.resolvedIn}`}
      {issue.lastSeenVersion && ` · seen in ${issue.lastSeenVersion}`}
    </Item>
  )
}

function PageItem({ page }: { page: MovedPage }) {
  const { project } = useScope()
  const worse = findWorseRatings(page)
  const isPoor = worse.some(({ rating }) => rating === 'poor')
  return (
    <Item
      name={
        <Link
          to="/p/$project/pages/$page"
          params={{ project, page: page.page.page }}
          search={{ vital: worse[0]?.name }}
          className={nameClass}
          title={page.page.page}
        >
          {page.page.page}
        </Link>
      }
      state={
        <span
          className={`inline-flex shrink-0 items-center gap-4 font-medium ${isPoor ? 'text-bad' : 'text-warn'}`}
        >
          <RatingMark rating={isPoor ? 'poor' : 'needs-improvement'} />
          {isPoor ? 'Now poor' : 'Degraded'}
        </span>
      }
    >
      {worse
        .map(({ name, now, before }) => `${name} p75 ${vitalText(name, before)} → ${vitalText(name, now)}`)
        .join(' · ')}
      {` · ${countOf(page.page.views, 'view')}`}
    </Item>
  )
}

function IntakeItem({ text }: { text: string }) {
  const { project } = useScope()
  return (
    <Item
      name={
        <Link to="/p/$project/settings/data" params={{ project }} className="font-medium hover:underline">
          Intake
        </Link>
      }
      state={<span className="shrink-0 font-medium text-warn">Events dropped</span>}
    >
      {text}
    </Item>
  )
}
