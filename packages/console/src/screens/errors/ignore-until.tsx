import { use, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TimeZone } from '../../ui/text/time.tsx'
import { startOfDay } from '../../ui/text/zoned-day.ts'

type IgnoreUntilProps = {
  /** How many are ignored. */
  count: number
  onIgnore: (until: string, day: string) => void
  onClose: () => void
}

/** The day on which ignored errors reopen. */
export function IgnoreUntil({ count, onIgnore, onClose }: IgnoreUntilProps) {
  const timeZone = use(TimeZone)
  const [day, setDay] = useState('')
  const [fault, setFault] = useState<string>()

  function submit() {
    const until = startOfDay(day, timeZone)
    if (until === undefined) setFault('Choose a day.')
    else if (Date.parse(until) <= Date.now()) setFault('Choose a future day.')
    else {
      onIgnore(until, day)
      onClose()
    }
  }

  return (
    <Dialog
      title={count === 1 ? 'Ignore this error until' : `Ignore ${count} errors until`}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Ignore
          </Button>
        </>
      }
    >
      <Field
        label="Day"
        hint="On that day the issue reopens if it still occurs."
        type="date"
        value={day}
        fault={fault}
        onChange={(event) => {
          setDay(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </Dialog>
  )
}
