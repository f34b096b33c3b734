import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type LogRecord, logsQuery } from '../../api/logs.ts'
import type { Question } from '../../api/question.ts'
import { logColumns } from '../../features/traces/log-columns.tsx'
import { LogFacts } from '../../features/traces/log-facts.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'

const shown = 10

/** The latest log records of the result; each opens its details and its trace. */
export function LogSamples({ question }: { question: Question }) {
  const logs = useInfiniteQuery(logsQuery(question))
  const [peeked, setPeeked] = useState<string>()
  const rows = (logs.data?.pages ?? []).flatMap(({ items }) => items).slice(0, shown)
  const record = rows.find(({ id }) => id === peeked)
  const peek = (id: string) => setPeeked(id === peeked ? undefined : id)
  return (
    <Panel
      title="Log records"
      note="matching the filter, newest first"
      actions={
        <Link
          from="/p/$project/explore"
          to="/p/$project/logs"
          search={({ env, t, q }) => ({ env, t, q })}
          className={buttonClass()}
        >
          Open in Logs
        </Link>
      }
    >
      <Async of={logs}>
        {() => (
          <DataTable<LogRecord>
            label="Log records"
            rows={rows}
            rowId={({ id }) => id}
            rowName={({ body }) => body}
            columns={logColumns(peek)}
            sorted
            tall={false}
            onOpen={({ id }) => setPeeked(id)}
            onPeek={({ id }) => peek(id)}
            peeked={peeked}
          />
        )}
      </Async>
      {record && (
        <Peek title="Log record" onClose={() => setPeeked(undefined)}>
          <LogFacts log={record} />
        </Peek>
      )}
    </Panel>
  )
}
