import type { ServiceShare } from '@telltale/core/telemetry/otlp/trace-tree'
import { countOf, durationText, shareText } from '../../ui/text/measure-text.ts'
import type { ServiceColors } from './service-colors.ts'

const shown = 8

type ServiceSharesProps = { shares: readonly ServiceShare[]; colors: ServiceColors }

/** Which service took the time of the trace. */
export function ServiceShares({ shares, colors }: ServiceSharesProps) {
  const others = shares.length - shown
  return (
    <ul className="grid gap-6">
      {shares.slice(0, shown).map(({ service, spans, self, share }) => (
        <li key={service} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-12 gap-y-2">
          <span className="truncate" title={service}>
            {service} <span className="text-12 text-text-3">{countOf(spans, 'span')}</span>
          </span>
          <span className="text-right text-12 text-text-2">
            {shareText(share)} · {durationText(self)}
          </span>
          <span className="col-span-2 h-6 rounded-chip bg-sunken" aria-hidden="true">
            <span
              className={`block h-full rounded-chip ${colors.get(service) ?? ''}`}
              style={{ width: `${Math.max(0.5, share * 100)}%` }}
            />
          </span>
        </li>
      ))}
      {others > 0 && <li className="text-12 text-text-3">and {countOf(others, 'more service')}</li>}
    </ul>
  )
}
