import type { Chip } from '@telltale/core/query/filter'
import { useState } from 'react'
import type { ShownIssue, Slice } from '../../../api/issues.ts'
import type { SearchQuestion } from '../../../shell/use-question.ts'
import { Panel } from '../../../ui/panel.tsx'
import { countText, fullCountText, shareText } from '../../../ui/text/measure-text.ts'

type Ref = Pick<Chip, 'field' | 'key'>
type BreakdownProps = { issue: ShownIssue; requested: SearchQuestion }

const shownAtFirst = 5

const parts = [
  { title: 'Browser', of: 'browser' },
  { title: 'Version', of: 'version' },
  { title: 'Page', of: 'page' },
  { title: 'Country', of: 'country' },
  { title: 'Device', of: 'device' },
  { title: 'Operating system', of: 'os' },
] as const

/** Breakdown of the affected sessions: each bar is a share, and a filter. */
export function Breakdown({ issue, requested }: BreakdownProps) {
  const { slices, attributes, sessions } = issue
  const flags = slices.flags.map(({ value, ...counts }) => {
    const cut = value.indexOf('=')
    const ref: Ref = { field: 'flag', key: value.slice(0, cut) }
    return { ref, value: value.slice(cut + 1), label: `${ref.key} = ${value.slice(cut + 1)}`, ...counts }
  })
  const barsOf = (ref: Ref, from: readonly Slice[]): Bar[] => from.map((slice) => ({ ...slice, ref }))

  return (
    <Panel title="Breakdown" note="share of sessions" flush>
      <Bars title="Flag variation" bars={flags} sessions={sessions} requested={requested} isCode />
      {parts.map(({ title, of }) => (
        <Bars
          key={of}
          title={title}
          bars={barsOf({ field: of, key: '' }, slices[of])}
          sessions={sessions}
          requested={requested}
          isCode={of === 'page' || of === 'version'}
        />
      ))}
      {attributes.map(({ name, values }) => (
        <Bars
          key={name}
          title={name}
          bars={barsOf({ field: 'attr', key: name }, values)}
          sessions={sessions}
          requested={requested}
        />
      ))}
    </Panel>
  )
}

interface Bar {
  ref: Ref
  value: string
  label?: string
  events: number
  sessions: number
}

type BarsProps = {
  title: string
  bars: readonly Bar[]
  /** Of all affected sessions. */
  sessions: number
  requested: SearchQuestion
  isCode?: boolean
}

function Bars({ title, bars, sessions, requested, isCode = false }: BarsProps) {
  const [isWhole, setWhole] = useState(false)
  const known = bars.filter(({ value }) => value !== '')
  if (known.length === 0) return null
  const shown = isWhole ? known : known.slice(0, shownAtFirst)
  const rest = known.length - shown.length

  return (
    <section className="border-line border-b pt-10 pb-6 last:border-b-0">
      <h3 className="truncate px-14 pb-2 text-12 text-text-3" title={title}>
        {title}
      </h3>
      <ul className="grid">
        {shown.map((bar) => (
          <li key={`${bar.ref.key} ${bar.value}`}>
            <BarButton bar={bar} of={sessions} requested={requested} isCode={isCode} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="min-h-24 w-full cursor-pointer px-14 text-left text-12 text-accent -outline-offset-2 hover:underline"
        >
          {rest} more
        </button>
      )}
    </section>
  )
}

type BarButtonProps = { bar: Bar; of: number; requested: SearchQuestion; isCode: boolean }

/** Pressed when its value is filtered by; pressing it again removes the filter. */
function BarButton({ bar, of, requested, isCode }: BarButtonProps) {
  const { ref, value, label = value, sessions } = bar
  const share = of === 0 ? 0 : Math.min(1, sessions / of)
  const isOfBar = (chip: Chip) =>
    chip.field === ref.field &&
    chip.key === ref.key &&
    !chip.isNegated &&
    chip.operator === 'is' &&
    chip.values.length === 1 &&
    chip.values[0] === value
  const isPressed = requested.filter.chips.some(isOfBar)

  function press() {
    if (isPressed) {
      const chips = requested.filter.chips.filter((chip) => !isOfBar(chip))
      requested.setFilter({ ...requested.filter, chips })
    } else requested.narrow({ ...ref, isNegated: false, operator: 'is', values: [value] })
  }

  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={press}
      title={`${fullCountText(sessions)} of ${fullCountText(of)} sessions`}
      className="grid w-full cursor-pointer gap-2 px-14 py-4 text-left -outline-offset-2 hover:bg-hover aria-pressed:bg-selected"
    >
      <span className="flex min-w-0 items-baseline gap-8">
        <span className={`min-w-0 flex-1 truncate ${isCode ? 'font-code text-12' : ''}`}>{label}</span>
        <span className="text-12 text-text-3">{countText(sessions)}</span>
        <span className="w-40 text-right">{shareText(share)}</span>
      </span>
      <span aria-hidden="true" className="h-4 rounded-chip bg-hover">
        <span className="block h-full rounded-chip bg-v0" style={{ width: `${share * 100}%` }} />
      </span>
    </button>
  )
}
