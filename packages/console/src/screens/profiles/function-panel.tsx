import { useEffect, useMemo, useRef } from 'react'
import type { ProfiledFrame } from '../../api/profiles.ts'
import { IconButton } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { keyOf } from '../../ui/text/function-key.ts'
import { durationText, shareText } from '../../ui/text/measure-text.ts'
import { type CallNode, type FunctionTime, type Relation, relationsOf } from './call-tree.ts'
import { nameOf, whereOf } from './frame-words.ts'
import { FunctionCode } from './function-code.tsx'
import { FunctionName } from './function-name.tsx'
import { useProfilesSearch } from './use-profiles-search.ts'

type FunctionPanelProps = { nodes: readonly CallNode[]; functions: readonly FunctionTime[]; whole: string }

/** The selected function: its callers, its callees and its code. */
export function FunctionPanel({ nodes, functions, whole }: FunctionPanelProps) {
  const { search, set } = useProfilesSearch()
  const panel = useRef<HTMLDivElement>(null)
  const before = useRef(search.fn)
  useEffect(() => {
    // When selected far below, the panel would be out of view.
    if (before.current !== search.fn) panel.current?.scrollIntoView({ block: 'nearest' })
    before.current = search.fn
  }, [search.fn])
  const found = functions.find(({ frame }) => keyOf(frame) === search.fn)
  const key = search.fn ?? ''
  const { callers, callees } = useMemo(() => relationsOf(nodes, key), [nodes, key])
  if (found === undefined) return null
  const { frame, self, total } = found
  const all = nodes[0]?.value ?? 0
  const open = (next: ProfiledFrame) => set({ fn: keyOf(next) }, true)
  return (
    <div ref={panel} className="min-w-0 scroll-mt-[56px]">
      <Panel
        title={<code className="break-all">{nameOf(frame)}</code>}
        note={`${durationText(self)} self, ${durationText(total)} total, ${shareText(all > 0 ? total / all : 0)} of all`}
        actions={
          <IconButton
            icon="close"
            label="Close the function"
            small
            onClick={() => set({ fn: undefined }, true)}
          />
        }
        flush
      >
        <div className="grid min-w-0 full:grid-cols-2">
          <div className="grid min-w-0 content-start gap-14 px-14 py-12">
            <Relations title="Called by" of={callers} total={total} whole={whole} onOpen={open} none="" />
            <Relations
              title="Calls"
              of={callees}
              total={total}
              whole={whole}
              onOpen={open}
              none="Nothing: all of its time is self time."
            />
          </div>
          <div className="min-w-0 border-line max-full:border-t full:border-l">
            <FunctionCode frame={frame} where={whereOf(frame)} />
          </div>
        </div>
      </Panel>
    </div>
  )
}

type RelationsProps = {
  title: string
  of: readonly Relation[]
  total: number
  whole: string
  onOpen: (frame: ProfiledFrame) => void
  none: string
}

const shownAtMost = 8

function Relations({ title, of, total, whole, onOpen, none }: RelationsProps) {
  const shown = of.slice(0, shownAtMost)
  const rest = of.slice(shownAtMost).reduce((sum, { value }) => sum + value, 0)
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <h3 className="font-strong">{title}</h3>
      {of.length === 0 && <p className="text-text-3">{none}</p>}
      <ul>
        {shown.map(({ frame, value }) => (
          <li
            key={frame ? keyOf(frame) : ''}
            className="flex min-h-24 min-w-0 items-center justify-between gap-12"
          >
            {frame ? <FunctionName frame={frame} onOpen={() => onOpen(frame)} /> : <span>{whole}</span>}
            <Time value={value} total={total} />
          </li>
        ))}
        {rest > 0 && (
          <li className="flex min-h-24 items-center justify-between gap-12 text-text-3">
            {of.length - shown.length} more
            <Time value={rest} total={total} />
          </li>
        )}
      </ul>
    </section>
  )
}

function Time({ value, total }: { value: number; total: number }) {
  return (
    <span className="shrink-0 whitespace-nowrap">
      {durationText(value)}{' '}
      <span className="text-12 text-text-3">{shareText(total > 0 ? Math.min(1, value / total) : 0)}</span>
    </span>
  )
}
