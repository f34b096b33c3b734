import { Link } from '@tanstack/react-router'
import type { Trace } from '../../api/traces.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { TraceMoment } from './trace-moment.tsx'

type TraceErrorsProps = { trace: Trace; onSelect: (span: string) => void }

/** The errors that services and pages reported within the trace, in order. */
export function TraceErrors({ trace: { errorList }, onSelect }: TraceErrorsProps) {
  const { project } = useScope()
  if (errorList.length === 0) return null
  return (
    <Panel title="Errors" note={countOf(errorList.length, 'error')} flush>
      <ul>
        {errorList.map(({ id, issue, at, spanId, service, type, message }) => (
          <TraceMoment key={id} at={at} span={spanId} onSelect={onSelect}>
            <Link
              to="/p/$project/errors/$issue"
              params={{ project, issue }}
              search={({ env, t }) => ({ env, t })}
              className="min-w-0 text-bad [overflow-wrap:anywhere] hover:underline"
            >
              {`${type}: ${message}`}
            </Link>
            <span className="text-12 text-text-3">{service}</span>
          </TraceMoment>
        ))}
      </ul>
    </Panel>
  )
}
