import { useQuery } from '@tanstack/react-query'
import { projectQuery } from '../../api/projects.ts'
import { useScope } from '../../shell/scope-context.ts'
import { TraceLink } from './trace-link.tsx'

/** Opens the trace in the tool that the project's link template names. Without one, there is no link. */
export function TraceElsewhere({ trace }: { trace: string }) {
  const { project } = useScope()
  const { data } = useQuery(projectQuery(project))
  if (!data?.traceLink) return null
  return (
    <a
      href={data.traceLink.replaceAll('{traceId}', () => encodeURIComponent(trace))}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline"
    >
      Open elsewhere
    </a>
  )
}

/** The trace of an event, here and in the project's other tool. */
export function TraceLinks({ trace, span }: { trace: string; span?: string | undefined }) {
  return (
    <span className="flex min-w-0 flex-wrap gap-x-12 gap-y-4">
      <TraceLink trace={trace} span={span} />
      <TraceElsewhere trace={trace} />
    </span>
  )
}
