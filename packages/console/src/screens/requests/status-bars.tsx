import type { MeasuredRequest } from '../../api/requests.ts'
import { useQuestion } from '../../shell/use-question.ts'
import { chipOfValue } from '../../ui/filter/chip-of-value.ts'
import { countText, shareText } from '../../ui/text/measure-text.ts'

/** Each status code with its share; each is a filter. */
export function StatusBars({ request: { statuses, count } }: { request: MeasuredRequest }) {
  const { narrow } = useQuestion()
  return (
    <ul className="grid gap-4">
      {statuses.map(({ status, count: own }) => {
        const share = count === 0 ? 0 : own / count
        const chip = chipOfValue({ field: 'status', key: '' }, String(status))
        return (
          <li key={status}>
            <button
              type="button"
              onClick={() => chip && narrow(chip)}
              className="grid min-h-24 w-full cursor-pointer grid-cols-[minmax(88px,auto)_minmax(0,1fr)_auto_6ch] items-center gap-12 rounded-control px-6 text-left hover:bg-hover"
            >
              <span className={isFailure(status) ? 'font-medium text-bad' : ''}>{statusText(status)}</span>
              <span aria-hidden="true" className="h-8 rounded-chip bg-sunken">
                <span
                  className={`block h-8 min-w-2 rounded-chip ${isFailure(status) ? 'bg-bad-fill' : 'bg-control'}`}
                  style={{ width: `${share * 100}%` }}
                />
              </span>
              <span className="text-right">{countText(own)}</span>
              <span className="text-right text-12 text-text-3">{shareText(share)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const isFailure = (status: number) => status === 0 || status >= 400

function statusText(status: number): string {
  return status === 0 ? 'No response' : String(status)
}
