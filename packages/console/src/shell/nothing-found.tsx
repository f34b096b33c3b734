import { useQuery } from '@tanstack/react-query'
import { firstEventQuery } from '../api/first-event.ts'
import { keysQuery } from '../api/keys.ts'
import { Button } from '../ui/button.tsx'
import { ConnectSnippets } from '../ui/connect-snippets.tsx'
import { Async, Empty } from '../ui/states.tsx'
import { useScope } from './scope-context.ts'

type NothingFoundProps = {
  /** The missing items: `sessions`. */
  of: string
  /** Set if a filter applies. */
  onClear?: (() => void) | undefined
  /** A positive message when there are events, but none of this kind. */
  otherwise?: { title: string; detail: string }
}

/** Why a monitoring screen is empty: the filter, the period, or no application has sent data yet. */
export function NothingFound({ of, onClear, otherwise }: NothingFoundProps) {
  const { project, environment } = useScope()
  const { data: newest } = useQuery(firstEventQuery(project, environment.key))
  if (onClear) {
    return (
      <Empty title={`No ${of} match the filter`} action={<Button onClick={onClear}>Clear the filter</Button>}>
        No matches in this time range. Try a longer one.
      </Empty>
    )
  }
  if (newest === null) return <NoTelemetry />
  return (
    <Empty title={otherwise?.title ?? `No ${of} in this time range`}>
      {otherwise?.detail ?? 'Choose a longer time range, or another environment.'}
    </Empty>
  )
}

/** No application has ever sent data: shows how to connect one. */
export function NoTelemetry({ detail = 'Data appears here a few seconds after your application sends it.' }) {
  const { project, environment } = useScope()
  const keys = useQuery(keysQuery(project, environment.key))
  return (
    <>
      <Empty title={`No events yet in ${environment.name}`}>{detail}</Empty>
      <div className="mx-auto w-full max-w-review px-14 pb-20">
        <Async of={keys}>
          {({ items }) => {
            const key = items.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value
            return <ConnectSnippets url={window.location.origin} clientKey={key ?? 'your client key'} />
          }}
        </Async>
      </div>
    </>
  )
}
