import { Link } from '@tanstack/react-router'
import type { Trace } from '../../api/traces.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { TraceMoment } from './trace-moment.tsx'

/** The requests of browsers that are part of the trace, with their sessions. */
export function TraceRequests({ trace: { requests } }: { trace: Trace }) {
  const { project } = useScope()
  if (requests.length === 0) return null
  return (
    <Panel title="Requested by browsers" flush>
      <ul>
        {requests.map(({ id, session, at, method, url, page }) => (
          <TraceMoment key={id} at={at}>
            <span className="min-w-0 font-code text-12 [overflow-wrap:anywhere]">{`${method} ${url}`}</span>
            {page !== '' && <span className="text-12 text-text-3">on {page}</span>}
            {session !== null && (
              <Link
                to="/p/$project/sessions/$session"
                params={{ project, session }}
                search={({ env }) => ({ env })}
                className="text-12 text-accent underline"
              >
                Open session
              </Link>
            )}
          </TraceMoment>
        ))}
      </ul>
    </Panel>
  )
}
