import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { issueEventQuery, type ShownEvent, type ShownIssue } from '../../../api/issues.ts'
import type { SearchQuestion } from '../../../shell/use-question.ts'
import { Button } from '../../../ui/button.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { Async } from '../../../ui/states.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { EventFacts } from './event-facts.tsx'
import { EventSteps } from './event-steps.tsx'
import { StackPanel } from './stack-panel.tsx'

/** One error of the issue: the newest, or the one in the URL. */
export function EventPanels({ issue, requested }: { issue: ShownIssue; requested: SearchQuestion }) {
  const { event: named = 'newest' } = useSearch({ from: '/p/$project/errors/$issue' })
  const navigate = useNavigate({ from: '/p/$project/errors/$issue' })
  const event = useQuery(issueEventQuery(requested.question, issue.id, named))
  const go = (to: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, event: to }), resetScroll: false })

  return (
    <Async of={event}>
      {(shown) => (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
          <EventNavigation shown={shown} onGo={go} />
          <StackPanel event={shown.event} />
          <EventSteps key={shown.event.id} event={shown.event} />
          <EventFacts event={shown.event} issue={issue} requested={requested} />
        </div>
      )}
    </Async>
  )
}

function EventNavigation({ shown, onGo }: { shown: ShownEvent; onGo: (event: string | undefined) => void }) {
  const { event, older, newer } = shown
  const toOlder = () => older !== null && onGo(older)
  const toNewer = () => newer !== null && onGo(newer)
  useShortcut(older === null ? undefined : { keys: 'j', label: 'Older error', run: toOlder })
  useShortcut(newer === null ? undefined : { keys: 'k', label: 'Newer error', run: toNewer })

  return (
    <div className="flex flex-wrap items-center gap-8">
      <h2 className="min-w-0 flex-1 font-strong text-14">
        {newer === null ? 'Newest error' : older === null ? 'Oldest error' : 'One error'}
        <span className="font-regular text-text-2">
          , <Time at={event.at} />
        </span>
      </h2>
      <Button look="quiet" disabled={newer === null} onClick={() => onGo(undefined)}>
        Newest
      </Button>
      <Button disabled={newer === null} onClick={toNewer} aria-keyshortcuts="k">
        Newer
      </Button>
      <Button disabled={older === null} onClick={toOlder} aria-keyshortcuts="j">
        Older
      </Button>
    </div>
  )
}
