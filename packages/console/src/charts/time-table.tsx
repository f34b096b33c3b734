import { zoneName } from '../ui/text/time-text.ts'

interface TimeColumn {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly format: (value: number) => string
}

type TimeTableProps = {
  label: string
  times: readonly number[]
  columns: readonly TimeColumn[]
  timeZone?: string | undefined
  maxHeight: number
}

/** The values of a time chart as a table. */
export function TimeTable({ label, times, columns, timeZone, maxHeight }: TimeTableProps) {
  const clock = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone ? { timeZone } : {}),
  })
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="overflow-auto rounded-control border border-line"
      style={{ maxHeight }}
    >
      <table className="w-full text-12">
        <thead>
          <tr className="text-left text-text-3">
            <th className="px-10 py-4 font-medium">Time ({zoneName(timeZone)})</th>
            {columns.map((one) => (
              <th key={one.label} className="px-10 py-4 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at} className="border-line border-t">
              <td className="whitespace-nowrap px-10 py-2">{clock.format(at)}</td>
              {columns.map((one) => {
                const value = one.values[index]
                return (
                  <td key={one.label} className="whitespace-nowrap px-10 py-2 text-right">
                    {value == null ? 'not recorded' : one.format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
