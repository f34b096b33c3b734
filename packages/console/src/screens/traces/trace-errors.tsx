import { Link } from '@tanstack/react-router'
import type { Trace } from '../../api/traces.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { countOf, durationText } from '../../ui/text/measure-text.ts'

type TraceErrorsProps = { trace: Trace; onSelect: (span: string) => void }

/** The errors that services and pages reported within the trace, in order. */
export function TraceErrors({ trace: { errorList }, onSelect }: TraceErrorsProps) {
  const { project } = useScope()
  if (errorList.length === 0) return null
  return (
    <Panel title="Errors" note={countOf(errorList.length, 'error')} flush>
      <ul>
        {errorList.map(({ id, issue, at, spanId, service, type, message }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-12 gap-y-2 border-line border-b px-14 py-8 last:border-0"
          >
            <span className="w-[10ch] shrink-0 text-12 text-text-3">{atText(at)}</span>
            <Link
              to="/p/$project/errors/$issue"
              params={{ project, issue }}
              search={({ env, t }) => ({ env, t })}
              className="min-w-0 text-bad [overflow-wrap:anywhere] hover:underline"
            >
              {`${type}: ${message}`}
            </Link>
            <span className="text-12 text-text-3">{service}</span>
            {spanId !== '' && (
              <button
                type="button"
                className="min-h-24 text-12 text-accent underline"
                onClick={() => onSelect(spanId)}
              >
                Show span
              </button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Clocks differ: something may be reported before the trace began. */
export const atText = (at: number) => (at < 0 ? `−${durationText(-at)}` : durationText(at))
