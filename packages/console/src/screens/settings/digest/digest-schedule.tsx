import type { DigestDraft } from '../../../api/digests.ts'
import { Select } from '../../../ui/form/select.tsx'

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (label, index) => ({ value: String(index + 1), label }),
)
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

interface DigestScheduleProps {
  weekday: number
  hour: number
  timeZone: string
  edit: (change: Partial<DigestDraft>) => void
  disabled: boolean
}

export function DigestSchedule({ weekday, hour, timeZone, edit, disabled }: DigestScheduleProps) {
  return (
    <div className="grid gap-16 wide:grid-cols-2">
      <Select
        label="Day"
        options={days}
        value={String(weekday)}
        onValue={(value) => edit({ weekday: Number(value) })}
        disabled={disabled}
      />
      <Select
        label="Time"
        hint={`In the time zone of the environment: ${timeZone}.`}
        options={hours}
        value={String(hour)}
        onValue={(value) => edit({ hour: Number(value) })}
        disabled={disabled}
      />
    </div>
  )
}
