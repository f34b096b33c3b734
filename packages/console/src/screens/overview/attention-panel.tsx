import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { listOutcomes } from '@telltale/core/contract/intake'
import type { ReactNode } from 'react'
import { staleFlagsQuery } from '../../api/flags.ts'
import { inboxQuery } from '../../api/inbox.ts'
import { outcomesQuery } from '../../api/intake.ts'
import { returnedIssuesQuery } from '../../api/overview.ts'
import type { Question } from '../../api/question.ts'
import type { FlagTelltale } from '../../api/telltales.ts'
import { telltaleId } from '../../features/telltale/telltale-words.ts'
import { useTelltales } from '../../features/telltale/use-telltale.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { countOf, shareText } from '../../ui/text/measure-text.ts'
import { groupByCause, groupVerdicts, waitingIn } from './attention-groups.ts'
import { CauseItem, ChangeRequestItem, IntakeItem, PageItem, StaleFlagsItem } from './attention-items.tsx'
import { GuardItem } from './guard-item.tsx'
import { findWorseRatings } from './moved-pages.ts'
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

/** By urgency: regressions, undecided rollouts, approvals, errors that came back, stale flags, data problems. */
export function AttentionPanel({ question }: { question: Question }) {
  const { verdicts, requests, stale, unread: undecided } = useDecisions()
  const returned = useQuery(returnedIssuesQuery(question))
  const { now, before, moved } = useMovedPages(question)
  const outcomes = useQuery(outcomesQuery(question, question))
  const trouble = outcomes.data && findIntakeTrouble(outcomes.data)
  const worse = moved?.filter((page) => findWorseRatings(page).length > 0)
  const unread = [returned.error, now.error ?? before.error, outcomes.error, ...undecided].filter(
    (error) => error !== null,
  )
  const isLoading = !returned.data && !moved && !outcomes.data && unread.length === 0
  const guards = (of: readonly FlagTelltale[]) =>
    of.map((one) => <GuardItem key={telltaleId(one)} telltale={one} />)

  const items: ReactNode[] = [
    ...guards(verdicts.regressions),
    ...guards(verdicts.undecided),
    ...guards(verdicts.approvals),
    ...requests.map((one) => <ChangeRequestItem key={one.id} request={one} />),
    ...groupByCause(returned.data ?? [])
      .slice(0, shownOfEach)
      .map((cause) => <CauseItem key={cause.key} cause={cause} />),
    ...(worse ?? []).slice(0, shownOfEach).map((page) => <PageItem key={page.page.page} page={page} />),
    ...(stale.flags.length > 0 ? [<StaleFlagsItem key="stale" {...stale} />] : []),
    ...guards(verdicts.wrong),
    ...(trouble ?? []).map((one) => <IntakeItem key={one} text={one} />),
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
              All clear. No flag harms users, no errors came back, no pages got worse, and no data was
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

function useDecisions() {
  const { project, environment } = useScope()
  const mayApprove = useMay('changes.approve')
  const inbox = useQuery(inboxQuery(project))
  const stale = useQuery(staleFlagsQuery(project))
  const telltales = useTelltales() ?? []
  const verdicts = groupVerdicts(telltales, Date.now())
  return {
    verdicts: mayApprove ? verdicts : { ...verdicts, approvals: [] },
    requests: waitingIn(environment.key, inbox.data?.items ?? []).slice(0, shownOfEach),
    unread: [inbox.error, stale.error],
    stale: stale.data ?? { flags: [], hasMore: false },
  }
}
