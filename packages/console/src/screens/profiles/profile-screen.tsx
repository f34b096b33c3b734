import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { profileQuery } from '../../api/profiles.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Async } from '../../ui/states.tsx'
import { ProfileTimeline } from './profile-timeline.tsx'

/** The profile of one view, from start to end of sampling. */
export function ProfileScreen() {
  const { profile } = useParams({ from: '/p/$project/profiles/one/$profile' })
  const { project, environment } = useScope()
  const found = useQuery(profileQuery({ project, env: environment.key }, profile))
  const page = found.data?.page
  return (
    <Screen
      title={page ? `Profile of ${page}` : 'Profile'}
      heading="Profile"
      crumbs={
        <>
          <Link to="/p/$project/profiles" params={{ project }}>
            Profiles
          </Link>
          {page && <Icon name="right" className="size-12 text-text-3" />}
          {page && (
            <Link to="/p/$project/profiles/$page" params={{ project, page }}>
              <code>{page}</code>
            </Link>
          )}
        </>
      }
    >
      <Async of={found}>{(one) => <ProfileTimeline profile={one} />}</Async>
    </Screen>
  )
}
