import { useQuery } from '@tanstack/react-query'
import { flagChoicesQuery } from '../../../api/flag-configs.ts'

/** Tags that other flags have, to choose the same word again. */
export function useKnownTags(project: string): readonly string[] {
  const flags = useQuery(flagChoicesQuery({ project, search: '' })).data ?? []
  return [...new Set(flags.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b, 'en'))
}
