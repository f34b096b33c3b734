import { Link } from '@tanstack/react-router'
import type { Profile } from '../../api/profiles.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { durationText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { MomentLink } from './moment-link.tsx'

/** The user and session of the view, and its flags. */
export function ProfileFacts({ profile }: { profile: Profile }) {
  const { project } = useScope()
  const { page, startedAt, busyMs, duration, browser, device, version, flags } = profile
  const facts = [
    ['Started', <Time key="at" at={startedAt} />],
    ['Length', durationText(duration)],
    ['Script time', durationText(busyMs)],
    ['Browser', [browser, device].filter(Boolean).join(', ') || 'unknown'],
    ['Version', version || 'unknown'],
  ] as const
  return (
    <Panel>
      <div className="flex flex-wrap items-end justify-between gap-x-24 gap-y-12">
        <dl className="flex flex-wrap gap-x-32 gap-y-8">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt className="text-12 text-text-3">{name}</dt>
              <dd className="font-medium">{value}</dd>
            </div>
          ))}
        </dl>
        <nav aria-label="Related" className="flex flex-wrap gap-8">
          <MomentLink profile={profile} at={0} className={buttonClass('normal', 'small')}>
            Session
          </MomentLink>
          {page !== '' && (
            <Link
              to="/p/$project/profiles/$page"
              params={{ project, page }}
              className={buttonClass('normal', 'small')}
            >
              All profiles of this page
            </Link>
          )}
          {page !== '' && (
            <Link
              to="/p/$project/pages/$page"
              params={{ project, page }}
              className={buttonClass('normal', 'small')}
            >
              Page
            </Link>
          )}
        </nav>
      </div>
      {flags.length > 0 && (
        <ul aria-label="Flags" className="flex flex-wrap gap-x-16 gap-y-4 pt-12">
          {flags.map((read) => {
            const sign = read.indexOf('=')
            const flag = sign < 0 ? read : read.slice(0, sign)
            return (
              <li key={read} className="flex min-w-0 items-baseline gap-6 text-12">
                <FlagLink flag={flag} />
                <code className="truncate">{sign < 0 ? '' : read.slice(sign + 1)}</code>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}
