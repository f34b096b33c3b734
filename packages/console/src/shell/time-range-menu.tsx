import { use, useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { useShortcut } from '../ui/keyboard.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { TimeZone, useNow } from '../ui/text/time.tsx'
import { timeText, zoneName } from '../ui/text/time-text.ts'
import { instantIn, localIn } from '../ui/text/zoned-time.ts'
import { useScope, useSetScope } from './scope-context.ts'
import { boundsOf, labelOfRange, parseTimeRange, type TimeRange, timePresets } from './time-range.ts'

/** A preset, or two instants in the displayed time zone. */
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
        <ExactRange range={range} now={now} zone={zoneName(timeZone)} onRange={choose} />
      </div>
    </Popover>
  )
}

interface ExactRangeProps {
  range: TimeRange
  now: number
  zone: string
  onRange: (range: TimeRange) => void
}

function ExactRange({ zone, ...props }: ExactRangeProps) {
  const bounds = boundsOf(props.range, props.now)
  const [from, setFrom] = useState(() => localIn(zone, bounds.from))
  const [to, setTo] = useState(() => localIn(zone, bounds.to))
  const [fault, setFault] = useState<string>()

  function apply() {
    const [begin, end] = [instantIn(zone, from), instantIn(zone, to)]
    const range = parseTimeRange(`${shortOf(begin)}..${shortOf(end)}`)
    if (range) props.onRange(range)
    else if (begin === undefined || end === undefined) setFault(`Enter two times that are valid in ${zone}.`)
    else setFault('The end must be after the start.')
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
      <p className="text-12 text-text-2">Time zone: {zone}</p>
      <Button type="submit">Apply</Button>
    </form>
  )
}

/** To the minute, as in the URL. */
const shortOf = (instant: string | undefined) => (instant ?? '').replace(/:00\.000Z$/, 'Z')
