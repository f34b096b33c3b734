import type { TraceSpan } from '@telltale/core/contract/traces'
import type { TreeRow } from '@telltale/core/telemetry/otlp/trace-tree'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useVirtualRows } from '../../ui/table/use-virtual-rows.ts'
import { durationText } from '../../ui/text/measure-text.ts'
import { openRows, spansAbove } from './open-rows.ts'
import type { ServiceColors } from './service-colors.ts'
import { SpanRow } from './span-row.tsx'

type WaterfallProps = {
  rows: readonly TreeRow<TraceSpan>[]
  /** Of the whole trace. */
  duration: number
  colors: ServiceColors
  errorsAt: ReadonlyMap<string, number>
  selected: string | undefined
  onSelect: (span: string | undefined) => void
}

/** The tree of spans beside their time. Only what is visible is rendered: a trace may have thousands of spans. */
export function Waterfall({ rows, duration, colors, errorsAt, selected, onSelect }: WaterfallProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const open = useMemo(() => openRows(rows, closed), [rows, closed])
  const [focused, setFocused] = useState(selected)
  const indexOf = (spanId: string | undefined) => open.findIndex(({ span }) => span.spanId === spanId)
  const current = Math.max(0, indexOf(focused))
  const body = useRef<HTMLUListElement>(null)
  const virtual = useVirtualRows({ count: open.length, kept: current, tall: false, body })
  useShown({ body, rows, selected, setClosed })

  function focus(index: number) {
    const row = open[Math.max(0, Math.min(open.length - 1, index))]
    if (row === undefined) return
    setFocused(row.span.spanId)
    // The row may have to be rendered first.
    requestAnimationFrame(() => {
      const item = body.current?.querySelector<HTMLElement>(`[data-span="${row.span.spanId}"]`)
      item?.focus()
      item?.scrollIntoView({ block: 'nearest' })
    })
  }
  function setOpen({ span: { spanId }, below }: TreeRow<TraceSpan>, isOpen: boolean) {
    if (below === 0) return
    const next = new Set(closed)
    if (isOpen) next.delete(spanId)
    else next.add(spanId)
    setClosed(next)
  }
  function press(event: KeyboardEvent) {
    const row = open[current]
    if (row === undefined || event.metaKey || event.ctrlKey || event.altKey) return
    const run = keysOf({
      row,
      open,
      current,
      isClosed: closed.has(row.span.spanId),
      focus,
      setOpen,
      onSelect,
    })
    const action = run[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }

  return (
    <div className="min-w-0">
      <Scale duration={duration} />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a tree is a list that can be walked through. */}
      <ul ref={body} role="tree" aria-label="Spans" onKeyDown={press} className="[overflow-anchor:none]">
        {virtual.drawn.map(({ index, before }) => {
          const row = open[index]
          if (row === undefined) return null
          const { spanId, service } = row.span
          return (
            <SpanRow
              key={spanId}
              row={row}
              index={index}
              before={before}
              measure={virtual.measure}
              duration={duration}
              color={colors.get(service) ?? ''}
              errors={errorsAt.get(spanId) ?? 0}
              isClosed={closed.has(spanId)}
              isSelected={spanId === selected}
              isCurrent={index === current}
              onSelect={() => {
                setFocused(spanId)
                onSelect(spanId === selected ? undefined : spanId)
              }}
              onToggle={() => setOpen(row, closed.has(spanId))}
            />
          )
        })}
        <li aria-hidden="true" role="none" style={{ height: virtual.after }} />
      </ul>
    </div>
  )
}

interface Walking {
  row: TreeRow<TraceSpan>
  open: readonly TreeRow<TraceSpan>[]
  current: number
  isClosed: boolean
  focus: (index: number) => void
  setOpen: (row: TreeRow<TraceSpan>, isOpen: boolean) => void
  onSelect: (span: string) => void
}

const page = 20

/** As in every tree: up and down, left to close or to the parent, right to open or to the first child. */
function keysOf({ row, open, current, isClosed, ...act }: Walking): Partial<Record<string, () => void>> {
  const parent = () => open.findLastIndex(({ depth }, index) => index < current && depth < row.depth)
  const select = () => act.onSelect(row.span.spanId)
  return {
    ArrowDown: () => act.focus(current + 1),
    ArrowUp: () => act.focus(current - 1),
    PageDown: () => act.focus(current + page),
    PageUp: () => act.focus(current - page),
    Home: () => act.focus(0),
    End: () => act.focus(open.length - 1),
    ArrowRight: () => (isClosed ? act.setOpen(row, true) : act.focus(row.below > 0 ? current + 1 : current)),
    ArrowLeft: () =>
      row.below > 0 && !isClosed ? act.setOpen(row, false) : act.focus(Math.max(0, parent())),
    Enter: select,
    ' ': select,
  }
}

interface Showing {
  body: { readonly current: HTMLUListElement | null }
  rows: readonly TreeRow<TraceSpan>[]
  selected: string | undefined
  setClosed: (change: (closed: ReadonlySet<string>) => ReadonlySet<string>) => void
}

const rowHeight = 36

/** A link to a span opens what is above it, and scrolls to it. */
function useShown({ body, rows, selected, setClosed }: Showing) {
  useEffect(() => {
    if (selected === undefined) return
    const above = spansAbove(rows, selected)
    setClosed((closed) =>
      above.some((spanId) => closed.has(spanId))
        ? new Set([...closed].filter((spanId) => !above.includes(spanId)))
        : closed,
    )
    const list = body.current
    const item = list?.querySelector(`[data-span="${selected}"]`)
    if (item) {
      item.scrollIntoView({ block: 'nearest' })
      return
    }
    const index = rows.findIndex(({ span }) => span.spanId === selected)
    if (list === null || index < 0) return
    const top = list.getBoundingClientRect().top + window.scrollY
    window.scrollTo({ top: top + index * rowHeight - window.innerHeight / 2 })
  }, [body, rows, selected, setClosed])
}

const ticks = [0, 0.25, 0.5, 0.75, 1]

function Scale({ duration }: { duration: number }) {
  return (
    <div
      aria-hidden="true"
      className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-12 border-line border-b px-14 py-4 text-11 text-text-3 max-wide:grid-cols-1"
    >
      <span className="max-wide:hidden" />
      <span className="flex justify-between">
        {ticks.map((share) => (
          <span key={share}>{durationText(share * duration)}</span>
        ))}
      </span>
    </div>
  )
}
