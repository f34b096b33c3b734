import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type Identity, identityQuery } from '../../api/identities.ts'
import { toProblem } from '../../api/problem.ts'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton, Trouble } from '../../ui/states.tsx'
import type { IdentitySearch } from './identities-search.ts'
import { IdentityFacts } from './identity-facts.tsx'
import { IdentityFlags } from './identity-flags.tsx'
import { IdentitySessions } from './identity-sessions.tsx'
import { OverrideDialog } from './override-dialog.tsx'
import { OverrideList } from './override-list.tsx'
import { useMayOverride } from './use-may-override.ts'

export function IdentityScreen() {
  const { project, environment } = useScope()
  const { identity: targetingKey } = useParams({ from: '/p/$project/identities/$identity' })
  const search = useSearch({ from: '/p/$project/identities/$identity' })
  const navigate = useNavigate({ from: '/p/$project/identities/$identity' })
  const place = { project, env: environment.key }
  const found = useQuery(identityQuery(place, targetingKey))
  const mayOverride = useMayOverride()
  const set = (change: IdentitySearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const add = () => set({ override: '' })
  usePaletteEntries(
    mayOverride.may
      ? [
          {
            id: 'new-override',
            group: 'Do',
            icon: 'plus',
            label: `Override a flag for ${targetingKey.slice(0, 40)}…`,
            run: add,
          },
        ]
      : [],
  )
  const isUnknown = found.error !== null && toProblem(found.error).is('not-found')
  const identity = found.data ?? (isUnknown ? unknownIdentity(targetingKey) : undefined)

  return (
    <Screen
      title={targetingKey}
      heading={<code>{targetingKey}</code>}
      crumbs={
        <Link from="/p/$project/identities/$identity" to="/p/$project/identities" className="hover:text-text">
          Identities
        </Link>
      }
      actions={
        <Button icon="plus" onClick={add} disabled={!mayOverride.may} title={mayOverride.reason}>
          <span>
            Override<span className="max-wide:sr-only"> a flag</span>
          </span>
        </Button>
      }
    >
      {!identity && found.error && <Trouble error={found.error} onRetry={() => void found.refetch()} />}
      {!identity && !found.error && <Skeleton rows={8} />}
      {identity && (
        <div className="grid min-w-0 items-start gap-16 full:grid-cols-[320px_minmax(0,1fr)]">
          <div className="grid min-w-0 gap-16">
            <IdentityFacts identity={identity} />
            <OverrideList identity={identity} onAdd={add} onChange={(flag) => set({ override: flag })} />
            <IdentitySessions targetingKey={identity.targetingKey} />
          </div>
          <IdentityFlags identity={identity} search={search} onSearch={set} />
        </div>
      )}
      {identity && search.override !== undefined && mayOverride.may && (
        <OverrideDialog
          key={search.override}
          identity={identity}
          flag={search.override}
          onClose={() => set({ override: undefined }, true)}
        />
      )}
    </Screen>
  )
}

/** An identity that was never seen can already get overrides. */
function unknownIdentity(targetingKey: string): Identity {
  return { targetingKey, traits: {}, masked: [], firstSeenAt: null, lastSeenAt: null, overrides: [] }
}
