import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

const tones = {
  bad: { frame: 'border-transparent bg-bad-soft', icon: 'text-bad', name: 'warning' },
  warn: { frame: 'border-transparent bg-warn-soft', icon: 'text-warn', name: 'warning' },
  info: { frame: 'border-transparent bg-accent-soft', icon: 'text-accent', name: 'info' },
  plain: { frame: 'border-line bg-surface', icon: 'text-text-3', name: 'info' },
} as const

type NoticeProps = {
  title: ReactNode
  detail?: ReactNode
  requestId?: string | undefined
  tone?: keyof typeof tones
  action?: ReactNode
}

/** What happened, what it means and what to do. Problems are announced when they appear. */
export function Notice({ title, detail, requestId, tone = 'bad', action }: NoticeProps) {
  return (
    <div
      {...(tone === 'bad' ? { role: 'alert' } : {})}
      className={`flex items-start gap-10 rounded-panel border px-12 py-8 ${tones[tone].frame}`}
    >
      <Icon name={tones[tone].name} className={`mt-1 size-16 ${tones[tone].icon}`} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2 [overflow-wrap:anywhere]">
        <p className="font-medium">{title}</p>
        {detail && <div className="text-pretty text-text-2">{detail}</div>}
        {requestId && (
          <p className="text-12 text-text-2">
            Reference <code>{requestId}</code>
          </p>
        )}
      </div>
      {action}
    </div>
  )
}

type ProblemNoticeProps = {
  problem: { title: string; detail?: string | undefined; requestId?: string | undefined } | null | undefined
}

/** A refusal or failure of the server, if there is one. */
export function ProblemNotice({ problem }: ProblemNoticeProps) {
  if (!problem) return null
  return <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />
}
