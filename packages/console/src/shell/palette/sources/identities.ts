import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { identitiesQuery } from '../../../api/identities.ts'
import type { PaletteEntry } from '../entry.ts'
import { usePaletteEnvironment } from './environment.ts'

const identityFrom = 3
const identitiesShown = 5

/** Identities are too many to list: the server searches by key prefix. */
export function useIdentityEntries(text: string): readonly PaletteEntry[] {
  const place = usePaletteEnvironment()
  const navigate = useNavigate()
  const isLong = text.length >= identityFrom && text.length <= limits.targetingKeyLength
  const found = useInfiniteQuery({
    ...identitiesQuery(place ?? { project: '', env: '' }, { search: text }),
    enabled: isLong && place !== undefined,
  })
  if (!isLong || place === undefined) return []
  const { project, env } = place

  return (found.data?.pages[0]?.items ?? [])
    .filter(({ targetingKey }) => targetingKey.startsWith(text))
    .slice(0, identitiesShown)
    .map(({ targetingKey }) => ({
      id: `identity ${project} ${env} ${targetingKey}`,
      group: 'Identities',
      icon: 'identity',
      label: targetingKey,
      isKey: true,
      run: () =>
        void navigate({
          to: '/p/$project/identities/$identity',
          params: { project, identity: targetingKey },
          search: (now) => ({ env: now.env }),
        }),
    }))
}
