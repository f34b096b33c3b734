import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { whyLost } from './timeline/lost-session.ts'

/** Explains why a session is missing, from the start time in its id. */
export function NoSession({ id }: { id: string }) {
  const { project, environment } = useScope()
  const keptDays = environment.retentionDays.events
  const reason = whyLost(id, { now: useNow(), keptDays })
  const titles = {
    expired: 'This session is past retention',
    'too-new': 'No events in this session yet',
    unknown: `Session not found in ${environment.name}`,
  }
  const details = {
    expired: `It started more than ${keptDays} days ago. Events are kept for ${keptDays} days in ${environment.name}. An admin can increase the retention.`,
    'too-new': 'It just started. Its first events appear within seconds. Try again shortly.',
    unknown: `It may belong to another environment, be older than the ${keptDays} days of retention, or not have been sampled. Or the user's data was erased, which leaves no trace.`,
  }
  return (
    <Panel>
      <Empty
        title={titles[reason]}
        action={
          <Link to="/p/$project/sessions" params={{ project }} search={{}} className={buttonClass()}>
            All sessions
          </Link>
        }
      >
        {details[reason]}
      </Empty>
    </Panel>
  )
}
