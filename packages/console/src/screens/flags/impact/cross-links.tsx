import { Link } from '@tanstack/react-router'
import { type Chip, printFilter } from '@telltale/core/query/filter'
import { useScope } from '../../../shell/scope-context.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useFlag } from '../flag-context.ts'

type CrossLinksProps = { variation: string; look: 'buttons' | 'links' }

/** Users exposed to this variation, on the screens that show what they experienced. */
export function CrossLinks({ variation, look }: CrossLinksProps) {
  const { project, environment } = useScope()
  const { key } = useFlag()
  const read: Chip = { field: 'flag', key, operator: 'is', values: [variation], isNegated: false }
  const recorded: Chip = { field: 'replay', key: '', operator: 'is', values: ['true'], isNegated: false }
  const q = printFilter({ chips: [read], words: [] })
  const env = environment.key
  const shape =
    look === 'buttons' ? buttonClass('normal', 'small') : 'min-h-24 text-accent hover:underline text-12'
  const isSmall = look === 'links'

  return (
    <>
      <Link
        to="/p/$project/sessions"
        params={{ project }}
        search={{ env, q: printFilter({ chips: [read, recorded], words: [] }) }}
        className={shape}
      >
        {!isSmall && <Icon name="session" />}
        Replays
      </Link>
      <Link to="/p/$project/errors" params={{ project }} search={{ env, q }} className={shape}>
        {!isSmall && <Icon name="issue" />}
        Errors
      </Link>
      <Link to="/p/$project/profiles" params={{ project }} search={{ env, q }} className={shape}>
        {!isSmall && <Icon name="profile" />}
        Profiles
      </Link>
      {isSmall && (
        <>
          <Link to="/p/$project/requests" params={{ project }} search={{ env, q }} className={shape}>
            Requests
          </Link>
          <Link to="/p/$project/sessions" params={{ project }} search={{ env, q }} className={shape}>
            Sessions
          </Link>
        </>
      )}
    </>
  )
}
