import { limits } from '@telltale/core/limits'
import { type Chip, emptyFilter, parseFilter, printFilter } from '@telltale/core/query/filter'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConditionField } from '../../ui/form/condition-field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { stepsOf } from './behaviour-search.ts'

interface Row {
  id: number
  text: string
}

type StepListProps = { steps: string | undefined; onSteps: (steps: string | undefined) => void }

const least = 2
const joined = (rows: readonly Row[]) => rows.flatMap(({ text }) => (text === '' ? [] : [text])).join(' -> ')

/** The steps in order. Rows without a filter are not in the address yet. */
export function StepList({ steps, onSteps }: StepListProps) {
  const [rows, setRows] = useState(() => rowsOf(steps))
  const [seen, setSeen] = useState(steps)
  // The address changed elsewhere: a saved view, or back.
  if (steps !== seen) {
    setSeen(steps)
    if (joined(rows) !== stepsOf(steps).join(' -> ')) setRows(rowsOf(steps))
  }
  function change(next: Row[]) {
    setRows(next)
    onSteps(joined(next) || undefined)
  }
  const setText = (id: number, text: string) =>
    change(rows.map((one) => (one.id === id ? { ...one, text } : one)))
  function swap(index: number, other: number) {
    const next = [...rows]
    const [one, two] = [next[index], next[other]]
    if (one === undefined || two === undefined) return
    next[index] = two
    next[other] = one
    change(next)
  }

  return (
    <div className="grid gap-8">
      <ol className="grid gap-8">
        {rows.map((row, index) => (
          <li
            key={row.id}
            className="grid grid-cols-[24px_minmax(0,1fr)_auto] items-start gap-8 max-wide:grid-cols-[16px_minmax(0,1fr)_auto]"
          >
            <span className="pt-[5px] text-right text-text-3 tabular-nums">{index + 1}</span>
            <span className="grid min-w-0 grid-cols-[minmax(0,16ch)_minmax(0,1fr)] gap-8 max-wide:grid-cols-[minmax(0,1fr)]">
              <Select
                label={`Kind of step ${index + 1}`}
                hideLabel
                options={kinds}
                value={kindOf(row.text)}
                onValue={(kind) => setText(row.id, withKind(row.text, kind))}
              />
              <ConditionField
                key={row.text}
                label={`Step ${index + 1}`}
                placeholder={index === 0 ? 'kind:view page:/cart' : 'kind:custom name:order_placed'}
                text={row.text}
                onText={(text) => setText(row.id, text)}
              />
            </span>
            <span className="flex">
              <IconButton
                icon="up"
                label={`Move step ${index + 1} up`}
                disabled={index === 0}
                onClick={() => swap(index, index - 1)}
              />
              <IconButton
                icon="down"
                label={`Move step ${index + 1} down`}
                disabled={index === rows.length - 1}
                onClick={() => swap(index, index + 1)}
              />
              <IconButton
                icon="trash"
                label={`Remove step ${index + 1}`}
                disabled={rows.length <= least}
                onClick={() => change(rows.filter(({ id }) => id !== row.id))}
              />
            </span>
          </li>
        ))}
      </ol>
      <div>
        <Button
          icon="plus"
          disabled={rows.length >= limits.funnelSteps}
          title={
            rows.length >= limits.funnelSteps ? `A funnel has at most ${limits.funnelSteps} steps` : undefined
          }
          onClick={() => setRows([...rows, { id: Math.max(...rows.map(({ id }) => id)) + 1, text: '' }])}
        >
          Add step
        </Button>
      </div>
    </div>
  )
}

const kinds = [
  { value: '', label: 'Any event' },
  { value: 'view', label: 'Page view' },
  { value: 'action', label: 'Action' },
  { value: 'custom', label: 'Custom event' },
  { value: 'resource', label: 'Request' },
  { value: 'error', label: 'Error' },
  { value: 'exposure', label: 'Exposure' },
] as const
type Kind = (typeof kinds)[number]['value']

const isKind = ({ field, isNegated }: Chip) => field === 'kind' && !isNegated

/** The chosen kind, if the filter names exactly one of the list. */
function kindOf(text: string): Kind {
  const parsed = parseFilter(text)
  const chips = parsed.ok ? parsed.result.chips.filter(isKind) : []
  const [value = '', ...others] = chips.flatMap(({ values }) => values)
  return others.length > 0 ? '' : (kinds.find((kind) => kind.value === value)?.value ?? '')
}

/** The same filter with another kind. */
function withKind(text: string, kind: Kind): string {
  const parsed = parseFilter(text)
  const { chips, words } = parsed.ok ? parsed.result : emptyFilter
  const chosen: Chip[] =
    kind === '' ? [] : [{ field: 'kind', key: '', operator: 'is', values: [kind], isNegated: false }]
  return printFilter({ chips: [...chosen, ...chips.filter((chip) => !isKind(chip))], words })
}

function rowsOf(steps: string | undefined): Row[] {
  const texts = stepsOf(steps)
  const missing = Array.from({ length: Math.max(0, least - texts.length) }, () => '')
  return [...texts, ...missing].map((text, id) => ({ id, text }))
}
