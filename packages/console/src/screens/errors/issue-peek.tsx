import { Link } from '@tanstack/react-router'
import type { IssueRow } from '../../api/issues.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { IssueFacts } from './issue-facts.tsx'
import { IssueSuspect } from './issue-suspect.tsx'
import { titleOf } from './issue-words.ts'
import { LongText } from './long-text.tsx'
import { useDeciding } from './use-deciding.ts'

export function IssuePeek({ issue, onClose }: { issue: IssueRow; onClose: () => void }) {
  const deciding = useDeciding()
  const { events, sessions, users } = issue
  return (
    <Peek
      title={<code>{issue.type || 'Error'}</code>}
      open={
        <Link
          from="/p/$project/errors"
          to="/p/$project/errors/$issue"
          params={{ issue: issue.id }}
          search={({ q }) => ({ q })}
          className={buttonClass('normal', 'small')}
        >
          Open
        </Link>
      }
      onClose={onClose}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-20">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
          <LongText text={titleOf(issue)} lines={4} className="font-code font-medium" />
          <IssueFacts issue={issue} />
          <div className="flex flex-wrap gap-8">
            <DecisionButtons issues={[issue]} deciding={deciding} />
          </div>
          {deciding.problem && <Notice title={deciding.problem.title} detail={deciding.problem.detail} />}
        </div>
        <section className="grid gap-8">
          <h3 className="font-strong">In this time range</h3>
          <Sparkline
            values={issue.series}
            width={340}
            height={48}
            label={`Events over time: ${fullCountText(events)}`}
          />
          <p className="text-text-2">
            {fullCountText(events)} events in {fullCountText(sessions)} sessions of {fullCountText(users)}{' '}
            users
          </p>
        </section>
        <section className="grid gap-8">
          <h3 className="font-strong">Suspect</h3>
          <IssueSuspect lift={issue.lift} />
        </section>
      </div>
    </Peek>
  )
}
