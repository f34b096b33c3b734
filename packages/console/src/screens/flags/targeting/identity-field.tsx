import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type EnvironmentRef, identitiesQuery, identityQuery } from '../../../api/identities.ts'
import { Combobox } from '../../../ui/form/combobox.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { useTargeting } from './targeting-context.ts'

type IdentityFieldProps = {
  targetingKey: string
  onTargetingKey: (key: string) => void
  /** Set when a known identity is chosen. */
  onTraits: (traits: Record<string, unknown>) => void
}

const offered = 10

/**
 * Suggests identities of the environment and fills in the traits of the chosen one, so that the result equals
 * that of the identity's page.
 */
export function IdentityField({ targetingKey, onTargetingKey, onTraits }: IdentityFieldProps) {
  const { place } = useTargeting()
  const client = useQueryClient()
  const wanted = useSettled(targetingKey, targetingKey)
  const scope = { project: place.project, env: place.env }
  const known = useInfiniteQuery(identitiesQuery(scope, { search: wanted === '' ? undefined : wanted }))
  const [loaded, setLoaded] = useState<string>()
  const items = known.data?.pages[0]?.items ?? []

  async function choose(key: string) {
    const traits = await findTraits(client, scope, key)
    setLoaded(traits && key)
    if (traits) onTraits(traits)
  }

  return (
    <Combobox
      label="Targeting key"
      code
      maxLength={limits.targetingKeyLength}
      suggestions={items.slice(0, offered).map((one) => ({ value: one.targetingKey }))}
      value={targetingKey}
      onValue={onTargetingKey}
      onCommit={(key) => void choose(key)}
      {...(loaded !== undefined &&
        loaded === targetingKey && { hint: 'Traits of this identity are filled in.' })}
    />
  )
}

/** Undefined for a key that was never seen, or whose traits are not readable: then the typed traits apply. */
export async function findTraits(
  client: QueryClient,
  place: EnvironmentRef,
  targetingKey: string,
): Promise<Record<string, unknown> | undefined> {
  if (targetingKey === '') return undefined
  try {
    return (await client.fetchQuery({ ...identityQuery(place, targetingKey), retry: false })).traits
  } catch {
    return undefined
  }
}
