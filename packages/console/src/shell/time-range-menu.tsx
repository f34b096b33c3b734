import { use, useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { useShortcut } from '../ui/keyboard.tsx'
import { Popover } from '../ui/popover.tsx'
import { TimeZone, useNow } from '../ui/time.tsx'
import { timeText } from '../ui/time-text.ts'
import { useScope, useSetScope } from './scope-context.ts'
import { boundsOf, labelOfRange, parseTimeRange, type TimeRange, timePresets } from './time-range.ts'

/** A preset, or two instants in the browser's zone. */
export function TimeRangeMenu() {
  const { range } = useScope()
  const setScope = useSetScope()
  const timeZone = use(TimeZone)
  const now = useNow()
  const [open, setOpen] = useState(false)
  useShortcut({ keys: 'r', label: 'Time range', run: () => setOpen(true) })
  const label = (one: TimeRange) => labelOfRange(one, (at) => timeText(at, now, timeZone))

  function choose(t: TimeRange) {
    setScope({ t })
    setOpen(false)
  }

  return (
    <Popover
      label="Time range"
      align="end"
      open={open}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          className={`${buttonClass()} max-wide:w-ctl max-wide:px-0`}
          aria-label={`Time range: ${label(range)}`}
        >
          <Icon name="clock" className="size-16 text-text-2" />
          <span className="max-wide:hidden">{label(range)}</span>
          <Icon name="down" className="size-16 text-text-2 max-wide:hidden" />
        </button>
      }
    >
      <div className="grid gap-12">
        <div className="grid grid-cols-2 gap-6">
          {timePresets.map((preset) => (
            <Button
              key={preset}
              look={preset === range ? 'primary' : 'normal'}
              aria-pressed={preset === range}
              onClick={() => choose(preset)}
            >
              {label(preset)}
            </Button>
          ))}
        </div>
        <ExactRange range={range} now={now} onRange={choose} />
      </div>
    </Popover>
  )
}

function ExactRange(props: { range: TimeRange; now: number; onRange: (range: TimeRange) => void }) {
  const bounds = boundsOf(props.range, props.now)
  const [from, setFrom] = useState(() => localText(bounds.from))
  const [to, setTo] = useState(() => localText(bounds.to))
  const [fault, setFault] = useState<string>()

  function apply() {
    const range = parseTimeRange(`${isoOf(from)}..${isoOf(to)}`)
    if (range) props.onRange(range)
    else setFault('The end must come after the beginning.')
  }

  return (
    <form
      className="grid gap-8 border-line border-t pt-12"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Field
        label="From"
        type="datetime-local"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <Field
        label="To"
        type="datetime-local"
        value={to}
        fault={fault}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit">Show this time</Button>
    </form>
  )
}

/** As the browser's field writes it: local, to the minute. */
function localText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function isoOf(local: string): string {
  const at = Date.parse(local)
  return Number.isNaN(at) ? '' : new Date(at).toISOString().replace(/:00\.000Z$/, 'Z')
}
