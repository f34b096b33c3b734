import { useRouter } from '@tanstack/react-router'
import { type NavEntry, navGroups } from './route-facts.ts'

export interface NavTarget extends NavEntry {
  readonly to: string
}

/** What of the table of screens is in the navigation: nothing is listed that does not exist. */
export function useNavigation(): readonly NavTarget[] {
  const router = useRouter()
  const routes: { fullPath: string; options: { staticData?: { nav?: NavEntry } } }[] = Object.values(
    router.routesById,
  )
  const targets = routes.flatMap(({ fullPath, options }) => {
    const nav = options.staticData?.nav
    // Without the slash that the first screen of a project ends in: everything else begins like it.
    return nav ? [{ ...nav, to: fullPath.replace(/(?<=.)\/$/, '') }] : []
  })
  return [undefined, ...navGroups].flatMap((group) => targets.filter((target) => target.group === group))
}
