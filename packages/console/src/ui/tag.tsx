import type { ReactNode } from 'react'

const tones = {
  plain: 'border-line bg-sunken text-text-2',
  ok: 'border-transparent bg-ok-soft text-ok',
  warn: 'border-transparent bg-warn-soft text-warn',
  bad: 'border-transparent bg-bad-soft text-bad',
  accent: 'border-transparent bg-accent-soft text-accent',
  dashed: 'border-dashed border-control text-text-2',
}

type BadgeProps = {
  tone?: keyof typeof tones
  /** Truncated when there is not enough room. */
  shrinks?: boolean
  children: ReactNode
}

/** The state of an item, as a word. Green, amber and red only for status. */
export function Badge({ tone = 'plain', shrinks = false, children }: BadgeProps) {
  return (
    <span
      className={`inline-flex h-20 items-center gap-4 whitespace-nowrap rounded-chip border px-6 font-medium text-12 ${shrinks ? 'min-w-0' : 'shrink-0'} ${tones[tone]}`}
    >
      {shrinks ? <span className="truncate">{children}</span> : children}
    </span>
  )
}

/** A tag set by a member. */
export function Tag({ children }: { children: string }) {
  return (
    <span className="inline-block max-w-menu truncate text-12 text-text-3">
      <span aria-hidden="true">#</span>
      {children}
    </span>
  )
}

export function Avatar({ name }: { name: string }) {
  const letters = name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
  return (
    <span
      aria-hidden="true"
      // Decorative: its content is not part of the accessible name of the control around it.
      data-letters={letters}
      className="grid size-24 shrink-0 place-items-center rounded-round border border-line-strong bg-sunken font-strong text-11 text-text-2 uppercase before:content-[attr(data-letters)]"
    />
  )
}
