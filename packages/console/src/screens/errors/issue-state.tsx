import type { Issue } from '../../api/issues.ts'
import { VerdictMark } from '../../charts/verdict.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { issueLooks, issueWordOf } from './issue-words.ts'

const tones = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', idle: 'text-text-2' }

/** Shape and word for the state of an issue. */
export function IssueState({ issue }: { issue: Pick<Issue, 'state' | 'firstSeenAt'> }) {
  const { label, mark, tone } = issueLooks[issueWordOf(issue, useNow())]
  return (
    <span className={`inline-flex items-center gap-6 whitespace-nowrap font-medium ${tones[tone]}`}>
      <svg className="size-12 shrink-0" viewBox="0 0 12 12" aria-hidden="true">
        <VerdictMark state={mark} x={6} y={6} radius={3.4} />
      </svg>
      {label}
    </span>
  )
}
