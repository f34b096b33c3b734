import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { whyLost } from './timeline/lost-session.ts'

/** Says what can be known of a session that is not there: its id tells when it began. */
export function NoSession({ id }: { id: string }) {
  const { project, environment } = useScope()
  const keptDays = environment.retentionDays.events
  const reason = whyLost(id, { now: useNow(), keptDays })
  const titles = {
    expired: 'This session is older than what is kept',
    'too-new': 'Nothing of this session arrived yet',
    unknown: `There is no such session in ${environment.name}`,
  }
  const details = {
    expired: `It began more than ${keptDays} days ago, and events are kept for ${keptDays} days in ${environment.name}. An admin can keep them longer from now on.`,
    'too-new': 'It began moments ago. Its first events are here within seconds; try again then.',
    unknown: `It may belong to another environment, be older than the ${keptDays} days that events are kept, or not have been sampled; or the person asked for their data to be erased, which leaves no trace.`,
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
