import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type InboxItem, inboxQuery, markRead } from '../../api/inbox.ts'
import { useScope } from '../../shell/scope-context.ts'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'
import { Time, TimeAgo, TimeUntil } from '../../ui/text/time.tsx'
import { noteOfItem, titleOfItem } from './inbox-words.ts'

export function InboxRow({ item }: { item: InboxItem }) {
  const { environments } = useScope()
  const environment = environments.find(({ key }) => key === item.env)
  const isUnread = item.kind === 'mention' && !item.isRead
  return (
    <li className="grid min-w-0 gap-2 border-line border-t px-14 py-10 first:border-t-0">
      <span className="flex min-w-0 flex-wrap items-center gap-x-10 gap-y-2">
        {isUnread && (
          <>
            <span aria-hidden="true" className="size-6 shrink-0 rounded-round bg-accent" />
            <span className="sr-only">Unread: </span>
          </>
        )}
        <ItemLink item={item} />
        {environment && <EnvironmentMark environment={environment} />}
        <span className="ml-auto shrink-0 text-12 text-text-3">
          <ItemTime item={item} />
        </span>
      </span>
      <span className={`min-w-0 break-words text-pretty ${isUnread ? '' : 'text-text-2'}`}>
        {noteOfItem(item)}
      </span>
    </li>
  )
}

function ItemTime({ item }: { item: InboxItem }) {
  if (item.kind !== 'scheduled-change' || item.state === 'failed') return <TimeAgo at={item.at} />
  return (
    <>
      <Time at={item.at} /> (<TimeUntil at={item.at} />)
    </>
  )
}

const linkClass = 'min-w-0 truncate font-medium hover:underline'

function ItemLink({ item }: { item: InboxItem }) {
  const { project } = useScope()
  const search = item.env === null ? {} : { env: item.env }
  const title = titleOfItem(item)
  switch (item.kind) {
    case 'alert':
      return (
        <Link
          to="/p/$project/alerts/$alert"
          params={{ project, alert: item.id }}
          search={search}
          className={linkClass}
        >
          {title}
        </Link>
      )
    case 'rollout':
      return (
        <Link
          to="/p/$project/rollouts/$rollout"
          params={{ project, rollout: item.id }}
          search={search}
          className={`font-code text-12 ${linkClass}`}
        >
          {title}
        </Link>
      )
    case 'change-request':
      return (
        <Link
          to="/p/$project/change-requests/$changeRequest"
          params={{ project, changeRequest: item.id }}
          search={search}
          className={`font-code text-12 ${linkClass}`}
        >
          {title}
        </Link>
      )
    case 'scheduled-change':
      return (
        <Link
          to="/p/$project/scheduled-changes"
          params={{ project }}
          search={search}
          className={`font-code text-12 ${linkClass}`}
        >
          {title}
        </Link>
      )
    case 'mention':
      return <MentionLink item={item} />
  }
}

type Mention = Extract<InboxItem, { kind: 'mention' }>

/** Opening what the comment is on marks it as read. */
function MentionLink({ item }: { item: Mention }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const search = item.env === null ? {} : { env: item.env }
  const shared = {
    search,
    hash: 'comments',
    className: linkClass,
    onClick: () => {
      if (item.isRead) return
      // A failure leaves it unread, which is visible.
      void markRead({ project, comments: [item.id] })
        .catch(() => undefined)
        .then(() => queryClient.invalidateQueries({ queryKey: inboxQuery(project).queryKey }))
    },
  }
  switch (item.on) {
    case 'flag':
      return (
        <Link to="/p/$project/flags/$flag/history" params={{ project, flag: item.subject }} {...shared}>
          {item.name}
        </Link>
      )
    case 'rollout':
      return (
        <Link to="/p/$project/rollouts/$rollout" params={{ project, rollout: item.subject }} {...shared}>
          {item.name}
        </Link>
      )
    case 'experiment':
      return (
        <Link
          to="/p/$project/experiments/$experiment"
          params={{ project, experiment: item.subject }}
          {...shared}
        >
          {item.name}
        </Link>
      )
    case 'issue':
      return (
        <Link to="/p/$project/errors/$issue" params={{ project, issue: item.subject }} {...shared}>
          {item.name}
        </Link>
      )
    case 'session':
      return (
        <Link to="/p/$project/sessions/$session" params={{ project, session: item.subject }} {...shared}>
          {item.name}
        </Link>
      )
  }
}
