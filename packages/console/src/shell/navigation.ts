import { useRouter } from '@tanstack/react-router'
import { type NavEntry, navGroups } from './route-facts.ts'

export interface NavTarget extends NavEntry {
  readonly to: string
}

/** The navigation entries of the route table: only existing screens are listed. */
export function useNavigation(): readonly NavTarget[] {
  const router = useRouter()
  const routes: { fullPath: string; options: { staticData?: { nav?: NavEntry } } }[] = Object.values(
    router.routesById,
  )
  const targets = routes.flatMap(({ fullPath, options }) => {
    const nav = options.staticData?.nav
    // Without the trailing slash of the project's first screen, which would be a prefix of all others.
    return nav ? [{ ...nav, to: fullPath.replace(/(?<=.)\/$/, '') }] : []
  })
  return [undefined, ...navGroups].flatMap((group) => targets.filter((target) => target.group === group))
}
