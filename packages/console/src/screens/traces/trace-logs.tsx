import { useState } from 'react'
import type { Trace } from '../../api/traces.ts'
import { LogFacts } from '../../features/traces/log-facts.tsx'
import { LogLevelBadge } from '../../features/traces/log-level.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { atText } from './trace-errors.tsx'

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
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-12 gap-y-2 border-line border-b px-14 py-6 last:border-0"
          >
            <span className="w-[10ch] shrink-0 text-12 text-text-3">{atText(Date.parse(at) - begun)}</span>
            <LogLevelBadge level={level} />
            <button
              type="button"
              className="min-h-24 min-w-0 flex-1 truncate text-left font-code text-12 hover:underline"
              onClick={() => setPeeked(id === peeked ? undefined : id)}
            >
              {body === '' ? '(empty)' : body}
            </button>
            <span className="text-12 text-text-3">{service}</span>
            {spanId !== null && (
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
      {shown && (
        <Peek title="Log record" onClose={() => setPeeked(undefined)}>
          <LogFacts log={shown} />
        </Peek>
      )}
    </Panel>
  )
}
