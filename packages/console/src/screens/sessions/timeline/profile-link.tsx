import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../../shell/scope-context.ts'
import { countOf, lengthText } from '../../../ui/text/measure-text.ts'
import type { ProfiledSpan } from './lanes.ts'
import { type Playhead, usePlayheadAt } from './playhead-place.ts'
import { profileAt } from './profiled-spans.ts'

type ProfileLinkProps = {
  profile: ProfiledSpan
  /** Milliseconds since the session started; defaults to its start. */
  at?: number
  className?: string
  children: ReactNode
}

/** The call stacks at the same moment. */
export function ProfileLink({ profile, at = profile.from, className, children }: ProfileLinkProps) {
  const { project, environment } = useScope()
  return (
    <Link
      to="/p/$project/profiles/one/$profile"
      params={{ project, profile: profile.id }}
      search={{ env: environment.key, at: Math.max(0, Math.round(at - profile.from)) || undefined }}
      className={className}
    >
      {children}
    </Link>
  )
}

/** Over its bar in the lane. Keyboard users reach it from the line below the list. */
export function ProfileBar({ profile }: { profile: ProfiledSpan }) {
  const { project, environment } = useScope()
  return (
    <Link
      to="/p/$project/profiles/one/$profile"
      params={{ project, profile: profile.id }}
      search={{ env: environment.key }}
      tabIndex={-1}
      title={profile.label}
      aria-label={profile.label}
      className="rounded-chip hover:outline-2 hover:outline-accent"
    />
  )
}

type ProfileAtProps = { profiles: readonly ProfiledSpan[]; playhead: Playhead }

/** Whether scripts were profiled at the playhead, with a link. */
export function ProfileAt({ profiles, playhead }: ProfileAtProps) {
  const at = usePlayheadAt(playhead, followStep) ?? 0
  const profile = profileAt(profiles, at)
  if (profile === undefined) {
    return `${countOf(profiles.length, 'profile')} of this session, none at ${lengthText(at)}`
  }
  return (
    <>
      At {lengthText(at)} a profile was running:{' '}
      <ProfileLink profile={profile} at={at} className="text-accent hover:underline">
        open flame graph
      </ProfileLink>
    </>
  )
}

/** Milliseconds between two updates during playback. */
const followStep = 1_000
