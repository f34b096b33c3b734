import { useState } from 'react'
import type { Trace } from '../../api/traces.ts'
import { LogFacts } from '../../features/traces/log-facts.tsx'
import { LogLevelBadge } from '../../features/traces/log-level.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { TraceMoment } from './trace-moment.tsx'

type TraceLogsProps = { trace: Trace; onSelect: (span: string) => void }

/** The log records of the trace, in order. */
export function TraceLogs({ trace: { logs, startedAt }, onSelect }: TraceLogsProps) {
  const [peeked, setPeeked] = useState<string>()
  const shown = logs.find(({ id }) => id === peeked)
  const begun = Date.parse(startedAt)
  if (logs.length === 0) return null
  return (
    <Panel title="Logs" note={countOf(logs.length, 'record')} flush>
      <ul>
        {logs.map(({ id, at, level, body, service, spanId }) => (
          <TraceMoment key={id} at={Date.parse(at) - begun} span={spanId} onSelect={onSelect}>
            <LogLevelBadge level={level} />
            <button
              type="button"
              className="min-h-24 min-w-0 flex-1 truncate text-left font-code text-12 hover:underline max-wide:basis-full"
              onClick={() => setPeeked(id === peeked ? undefined : id)}
            >
              {body === '' ? '(empty)' : body}
            </button>
            <span className="text-12 text-text-3">{service}</span>
          </TraceMoment>
        ))}
      </ul>
      {shown && (
        <Peek title="Log record" onClose={() => setPeeked(undefined)}>
          <LogFacts log={shown} />
        </Peek>
      )}
    </Panel>
  )
}
