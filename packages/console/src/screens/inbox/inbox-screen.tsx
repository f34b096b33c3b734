import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type InboxItem, inboxQuery, markRead } from '../../api/inbox.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { InboxRow } from './inbox-row.tsx'
import { inboxKinds, kindTitles } from './inbox-words.ts'

/** What waits for the team or for the account, and where it was mentioned. */
export function InboxScreen() {
  const { project } = useScope()
  const inbox = useQuery(inboxQuery(project))
  return (
    <Screen title="Inbox" scope="none">
      <Async
        of={inbox}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <Panel>
            <Empty title="Nothing waits">
              Firing alerts, rollouts on hold, change requests, scheduled changes and comments that mention
              you appear here.
            </Empty>
          </Panel>
        }
      >
        {({ items }) => <Lists items={items} />}
      </Async>
    </Screen>
  )
}

function Lists({ items }: { items: readonly InboxItem[] }) {
  return (
    <div className="grid min-w-0 max-w-review gap-16">
      {inboxKinds.map((kind) => {
        const listed = items.filter((item) => item.kind === kind)
        if (listed.length === 0) return null
        return (
          <Panel
            key={kind}
            title={kindTitles[kind]}
            note={`${listed.length}`}
            flush
            actions={kind === 'mention' && <MarkAllRead items={listed} />}
          >
            <ul aria-label={kindTitles[kind]}>
              {listed.map((item) => (
                <InboxRow key={item.id} item={item} />
              ))}
            </ul>
          </Panel>
        )
      })}
    </div>
  )
}

function MarkAllRead({ items }: { items: readonly InboxItem[] }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const unread = items.filter((item) => item.kind === 'mention' && !item.isRead).map(({ id }) => id)
  const marking = useMutation({
    mutationFn: markRead,
    onSettled: () => queryClient.invalidateQueries({ queryKey: inboxQuery(project).queryKey }),
  })
  if (unread.length === 0) return null
  return (
    <>
      <ProblemNotice problem={marking.error && toProblem(marking.error)} />
      <Button
        size="small"
        icon="check"
        busy={marking.isPending}
        onClick={() => marking.mutate({ project, comments: unread })}
      >
        Mark all as read
      </Button>
    </>
  )
}
