import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, use, useId } from 'react'
import { Button } from './button.tsx'
import { HeadingLevel } from './heading-level.ts'
import { Icon } from './icon.tsx'
import { type Refusal, refusalOf } from './refusal.ts'
import { ShorterRange } from './text/shorter-range.ts'

function Title({ children }: { children: ReactNode }) {
  const Heading = use(HeadingLevel) === 2 ? 'h2' : 'h3'
  return <Heading className="font-strong text-14">{children}</Heading>
}

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode }

/** An empty state: what is missing, why, and one thing to do. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-8 px-20 py-48 text-center">
      <svg viewBox="0 0 136 24" className="h-24 w-auto fill-none stroke-line-strong" aria-hidden="true">
        <path d="M56 2v20" className="stroke-text-2" strokeWidth="1.5" />
        <path d="M56 12h76" strokeDasharray="2 4" />
      </svg>
      <Title>{title}</Title>
      {children && <div className="max-w-card text-pretty text-text-2">{children}</div>}
      {action && <div className="pt-4">{action}</div>}
    </div>
  )
}

/** An error in place of the content: with a reference, and a retry button. */
export function ErrorState({ refusal, onRetry }: { refusal: Refusal; onRetry?: (() => void) | undefined }) {
  const offer = use(ShorterRange)?.(refusal.shorter)
  return (
    <div role="alert" className="grid justify-items-center gap-8 px-20 py-48 text-center">
      <Icon name="warning" className="size-20 text-bad" />
      <Title>{refusal.title}</Title>
      {refusal.detail && <p className="max-w-card text-pretty text-text-2">{refusal.detail}</p>}
      {(offer || onRetry) && (
        <div className="flex flex-wrap justify-center gap-8 pt-4">
          {offer && (
            <Button look="primary" onClick={offer.choose}>
              Show {offer.label}
            </Button>
          )}
          {onRetry && <Button onClick={onRetry}>Try again</Button>}
        </div>
      )}
      {refusal.requestId && (
        <p className="text-12 text-text-3">
          Reference <code>{refusal.requestId}</code>
        </p>
      )}
    </div>
  )
}

/** Names the missing permission and who can help. */
export function Forbidden({ refusal }: { refusal: Refusal }) {
  return (
    <div role="alert" className="grid justify-items-center gap-8 px-20 py-48 text-center">
      <Icon name="lock" className="size-20 text-text-3" />
      <Title>You don't have access</Title>
      <p className="max-w-card text-pretty text-text-2">
        {refusal.permission ? (
          <>
            You need the permission <code>{refusal.permission}</code>. An admin of the project can give you a
            role that has it.
          </>
        ) : (
          (refusal.detail ?? 'An admin of the project can give you a role that does.')
        )}
      </p>
    </div>
  )
}

export function Missing({ children }: { children?: ReactNode }) {
  return (
    <Empty title="Not found">
      {children ?? 'It may have been deleted, or you may not have access to its project.'}
    </Empty>
  )
}

export function Trouble({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const refusal = refusalOf(error)
  if (refusal.status === 403) return <Forbidden refusal={refusal} />
  if (refusal.status === 404) return <Missing />
  return <ErrorState refusal={refusal} onRetry={onRetry} />
}

const barWidths = ['w-2/3', 'w-1/2', 'w-3/4', 'w-2/5', 'w-3/5']

/** Skeleton lines. Invisible for 150 ms: most responses arrive sooner. */
export function Skeleton({ rows = 5, label = 'Loading' }: { rows?: number; label?: string }) {
  const id = useId()
  return (
    <div role="status" aria-labelledby={id} className="grid animate-appear gap-12 p-14">
      <span id={id} className="sr-only">
        {label}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move.
        <span key={row} className="flex justify-between gap-24">
          <span className={`h-10 rounded-chip bg-hover ${barWidths[row % barWidths.length]}`} />
          <span className="h-10 w-48 rounded-chip bg-hover" />
        </span>
      ))}
    </div>
  )
}

type AsyncProps<Reply> = {
  of: Pick<UseQueryResult<Reply>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'>
  loading?: ReactNode
  /** Shown instead of the content when `isEmpty` returns true. */
  empty?: ReactNode
  isEmpty?: (reply: Reply) => boolean
  children: (reply: Reply) => ReactNode
}

/** The four states of a query. Previous content stays, dimmed, while new content loads. */
export function Async<Reply>({ of, loading, empty, isEmpty = hasNoItems, children }: AsyncProps<Reply>) {
  if (of.data === undefined) {
    if (of.error) return <Trouble error={of.error} onRetry={() => void of.refetch()} />
    return loading ?? <Skeleton />
  }
  if (empty !== undefined && isEmpty(of.data)) return empty
  return (
    <div
      aria-busy={of.isPlaceholderData || undefined}
      className={`contents ${of.isPlaceholderData ? '*:opacity-60' : ''}`}
    >
      {children(of.data)}
    </div>
  )
}

function hasNoItems(reply: unknown): boolean {
  if (typeof reply !== 'object' || reply === null) return false
  if ('items' in reply) return Array.isArray(reply.items) && reply.items.length === 0
  return Array.isArray(reply) && reply.length === 0
}
