import type { ReactNode } from 'react'

type NoticeProps = { title: string; requestId?: string | undefined; children?: ReactNode }

/** Says what went wrong and how to find it in the log. Read aloud when it appears. */
export function Notice({ title, requestId, children }: NoticeProps) {
  return (
    <div role="alert" className="grid gap-2 rounded-panel border border-line-strong bg-bad-soft px-12 py-8">
      <p className="flex items-center gap-6 font-medium text-bad">
        <svg className="size-12 fill-bad" viewBox="0 0 12 12" aria-hidden="true">
          <path d="M6 .5 12 11.5H0z" />
        </svg>
        {title}
      </p>
      {children && <p className="text-text-2">{children}</p>}
      {requestId && (
        <p className="text-12 text-text-2">
          Reference <code>{requestId}</code>
        </p>
      )}
    </div>
  )
}
