import { eventNames } from '../../features/alerts/alert-words.ts'
import { Checkbox } from '../../ui/form/choice.tsx'
import { alertEventChoices } from './alert-events.ts'
import type { AlertForm } from './alert-form.ts'

type EventFieldsProps = {
  events: readonly string[]
  fault: string | undefined
  edit: (change: Partial<AlertForm>) => void
}

/** The events that trigger an alert. */
export function EventFields({ events, fault, edit }: EventFieldsProps) {
  return (
    <fieldset className="grid gap-8">
      <legend className="pb-4 text-text-2">Events</legend>
      <div className="grid gap-x-16 gap-y-6 wide:grid-cols-2">
        {alertEventChoices.map((event) => (
          <Checkbox
            key={event}
            label={eventNames[event] ?? event}
            checked={events.includes(event)}
            onChecked={(isChosen) =>
              edit({ events: isChosen ? [...events, event] : events.filter((one) => one !== event) })
            }
          />
        ))}
      </div>
      {fault && <p className="text-12 text-bad">{fault}</p>}
    </fieldset>
  )
}
