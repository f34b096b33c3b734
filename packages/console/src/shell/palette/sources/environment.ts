import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { environmentsQuery } from '../../../api/environments.ts'

/** Project and environment of the URL, as on its screens; undefined outside a project. */
export function usePaletteEnvironment(): { project: string; env: string } | undefined {
  const { project = '' } = useParams({ strict: false })
  const { env: wanted }: { env?: string | undefined } = useSearch({ strict: false })
  const environments = useQuery({ ...environmentsQuery(project), enabled: project !== '' })
  const items = environments.data?.items ?? []
  const env = (items.find(({ key }) => key === wanted) ?? items[0])?.key
  return env === undefined ? undefined : { project, env }
}
