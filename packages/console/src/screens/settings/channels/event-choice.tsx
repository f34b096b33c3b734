import type { Channel } from '../../../api/channels.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { eventGroups } from './event-words.ts'

type EventChoiceProps = {
  kind: Channel['kind']
  events: readonly string[]
  onEvents: (events: string[]) => void
}

/** The events a channel is notified of, besides the alerts that use it. */
export function EventChoice({ kind, events, onEvents }: EventChoiceProps) {
  const chosen = new Set(events)
  const groups = eventGroups.filter(({ isForWebhooks = false }) => kind === 'webhook' || !isForWebhooks)
  const set = (names: readonly string[], isChosen: boolean) =>
    onEvents(
      isChosen ? [...new Set([...events, ...names])] : events.filter((event) => !names.includes(event)),
    )
  return (
    <div className="grid gap-16">
      <p className="text-12 text-text-3">
        {events.length === 0 ? 'Only its alerts.' : `${events.length} event types, and its alerts.`}
      </p>
      {groups.map(({ label, events: offered }) => {
        const names = offered.map(([event]) => event)
        const hasAll = names.every((event) => chosen.has(event))
        return (
          <fieldset key={label} className="grid min-w-0 gap-6">
            <legend className="sr-only">{label}</legend>
            <div className="flex items-center gap-8">
              <span aria-hidden="true" className="font-medium">
                {label}
              </span>
              <Button look="quiet" size="small" onClick={() => set(names, !hasAll)}>
                {hasAll ? `None of ${label}` : `All of ${label}`}
              </Button>
            </div>
            <div className="grid gap-x-16 gap-y-6 wide:grid-cols-2">
              {offered.map(([event, text]) => (
                <Checkbox
                  key={event}
                  label={text}
                  checked={chosen.has(event)}
                  onChecked={(isChosen) => set([event], isChosen)}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}
