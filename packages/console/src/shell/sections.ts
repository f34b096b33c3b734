import { useRouter } from '@tanstack/react-router'
import type { Section } from './route-facts.ts'

export interface SectionTarget extends Section {
  readonly to: string
}

/** The sections of the route table, in its order. */
export function useSections(of?: Section['of']): readonly SectionTarget[] {
  const router = useRouter()
  const routes: { fullPath: string; options: { staticData?: { section?: Section } } }[] = Object.values(
    router.routesById,
  )
  return routes.flatMap(({ fullPath, options }) => {
    const section = options.staticData?.section
    return section && (of === undefined || section.of === of) ? [{ ...section, to: fullPath }] : []
  })
}
