import type { LogRecord } from '../../api/logs.ts'
import { CodeBox } from '../../ui/copy.tsx'
import { FactPart, Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { LogLevelBadge } from './log-level.tsx'
import { TraceLink } from './trace-link.tsx'

/** All fields of a log record. */
export function LogFacts({ log }: { log: LogRecord }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
      <p className="flex flex-wrap items-center gap-8">
        <LogLevelBadge level={log.level} />
        <span className="text-text-3">
          <Time at={log.at} />
        </span>
        {log.traceId !== null && <TraceLink trace={log.traceId} span={log.spanId} />}
      </p>
      <CodeBox label="Body" code={log.body === '' ? '(empty)' : log.body} />
      <Facts facts={factsOf(log)} />
      <FactPart title="Attributes" isEmpty={Object.keys(log.attributes).length === 0}>
        <Facts facts={Object.entries(log.attributes)} />
      </FactPart>
      <FactPart title="Resource" isEmpty={Object.keys(log.resource).length === 0}>
        <Facts facts={Object.entries(log.resource)} />
      </FactPart>
      {log.cut > 0 && <p className="text-12 text-text-3">{cutText(log.cut)}</p>}
    </div>
  )
}

export const cutText = (cut: number) =>
  cut === 1 ? '1 value was shortened or left out.' : `${cut} values were shortened or left out.`

function factsOf({ service, version, scope, severity, name, userKey }: LogRecord): [string, string][] {
  const facts: [string, string][] = [
    ['Service', [service, version].filter(Boolean).join(' ')],
    ['Event', name],
    ['Severity', severity],
    ['Logger', scope],
    ['User', userKey],
  ]
  return facts.filter(([, value]) => value !== '')
}
