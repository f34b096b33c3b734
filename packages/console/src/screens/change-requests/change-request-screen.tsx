import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changeRequestQuery, type DescribedChangeRequest } from '../../api/change-requests.ts'
import { Approvals } from '../../features/approvals/approvals.tsx'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { ConfigDiff } from '../../ui/diff/diff-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { TimeAgo, TimeZone } from '../../ui/text/time.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { useEnvironmentName } from './environment-name.tsx'
import { EnvironmentTime, useEnvironmentZone } from './environment-time.tsx'
import { groundOf, partName } from './part-words.ts'
import { useReviewerNames } from './reviewers.tsx'
import { requestWords, StateBadge } from './state-words.tsx'

export function ChangeRequestScreen() {
  const { project } = useScope()
  const { changeRequest } = useParams({ from: '/p/$project/change-requests/$changeRequest' })
  const found = useQuery(changeRequestQuery({ project, changeRequest }))
  const flag = found.data?.flag
  return (
    <Screen
      title={flag ? `Change request: ${flag}` : 'Change request'}
      scope="none"
      crumbs={
        <Link from="/p/$project" to="/p/$project/change-requests" className="hover:underline">
          Change requests
        </Link>
      }
    >
      <Async of={found} isEmpty={() => false}>
        {(request) => <Described request={request} />}
      </Async>
    </Screen>
  )
}

function Described({ request }: { request: DescribedChangeRequest }) {
  const zone = useEnvironmentZone(request.env)
  const hasMoved = !isEnded(request) && request.current.version !== request.baseVersion
  return (
    <TimeZone value={zone}>
      <Summary request={request} />
      <DecisionButtons request={request} />
      {request.state === 'conflicted' && <Overlaps request={request} />}
      <Panel title="Base vs proposal" note={`Base: version ${request.baseVersion}`}>
        <ConfigDiff label="From base to proposal" before={request.base} after={request.proposed} />
      </Panel>
      {hasMoved && (
        <Panel
          title="From base to current"
          note={`Version ${request.baseVersion} to ${request.current.version}`}
        >
          <ConfigDiff label="From base to current" before={request.base} after={request.current.config} />
        </Panel>
      )}
      <Panel title="History">
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-12">
          {request.decisions.map(({ at, action, actor, comment, version }) => (
            <li key={`${at} ${action}`} className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <span className="[overflow-wrap:anywhere]">
                <b className="font-medium">{actionWords[action]}</b> by {actor.name}
                {action === 'approve' && version !== null && `, version ${version}`}
                {action === 'approve' && hasLapsed(request, version) && (
                  <span className="text-text-2"> (lapsed)</span>
                )}{' '}
                <span className="text-text-2">
                  <TimeAgo at={at} />
                </span>
              </span>
              {comment && <span className="text-text-2 [overflow-wrap:anywhere]">{comment}</span>}
            </li>
          ))}
        </ol>
      </Panel>
    </TimeZone>
  )
}

const actionWords: Record<DescribedChangeRequest['decisions'][number]['action'], string> = {
  open: 'Opened',
  update: 'Changed',
  approve: 'Approved',
  decline: 'Declined',
  withdraw: 'Withdrawn',
  apply: 'Applied',
  conflict: 'Conflicted',
  rebase: 'Rebased',
  miss: 'Not applied on schedule',
}

function Summary({ request }: { request: DescribedChangeRequest }) {
  const environment = useEnvironmentName(request.env)
  const reviewers = useReviewerNames(request.reviewers)
  const words = requestWords[request.state]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <p className="flex flex-wrap items-center gap-8">
        <StateBadge of={words} />
        <span className="text-text-2">{words.means}</span>
      </p>
      <p className="[overflow-wrap:anywhere]">
        {request.author.name} {isEnded(request) ? 'proposed' : 'proposes'} to change{' '}
        <FlagLink flag={request.flag} env={request.env} /> in {environment}
        {request.reason === null ? ', without a reason.' : ':'}
      </p>
      {request.reason !== null && (
        <p className="border-line-strong border-l-2 pl-10 text-pretty [overflow-wrap:anywhere]">
          {request.reason}
        </p>
      )}
      {reviewers.length > 0 && !isEnded(request) && <Fact>Reviewers: {reviewers.join(', ')}.</Fact>}
      <Approvals
        of={request}
        authorId={request.author.id}
        isOpen={request.state === 'open' || request.state === 'approved'}
        isVersioned
      />
      {request.appliedVersion !== null && <Fact>Saved as version {request.appliedVersion}.</Fact>}
      {request.scheduledFor && (
        <Fact>
          Applied automatically once approved: <EnvironmentTime at={request.scheduledFor} env={request.env} />
          .
        </Fact>
      )}
    </div>
  )
}

/** Whether the proposal, or what it would change, has changed since this approval. */
function hasLapsed({ state, proposalVersion }: DescribedChangeRequest, version: number | null): boolean {
  return state === 'conflicted' || (version !== null && version < proposalVersion)
}

function isEnded({ state }: DescribedChangeRequest): boolean {
  return ['applied', 'declined', 'withdrawn'].includes(state)
}

function Fact({ children }: { children: ReactNode }) {
  return <p className="text-text-2 [overflow-wrap:anywhere]">{children}</p>
}

function Overlaps({ request }: { request: DescribedChangeRequest }) {
  if (request.overlaps.length === 0)
    return (
      <Notice tone="info" title="No conflicts" detail="They changed different parts. Rebasing keeps both." />
    )
  return (
    <Notice
      tone="warn"
      title="Conflicting changes"
      detail={
        <>
          <p>The author chooses which change to keep for each part. It must then be approved again.</p>
          <ul className="list-inside list-disc">
            {request.overlaps.map((overlap) => (
              <li key={overlap} className="[overflow-wrap:anywhere]">
                {partName(groundOf(request), overlap)}
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}
