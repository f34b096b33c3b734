import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInProvidersQuery } from '../../../api/sign-in-providers.ts'
import { OwnersOnly } from '../../../shell/owners-only.tsx'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Button } from '../../../ui/button.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { SingleSignOnOnlyPanel } from './only-panel.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { ProviderPanel } from './provider-panel.tsx'
import { ScimPanel } from './scim-panel.tsx'

export function SingleSignOnScreen() {
  const [isAdding, setAdding] = useState(false)
  return (
    <SectionScreen
      of="admin"
      title="Single sign-on"
      lead="Members sign in with your identity provider (OpenID Connect). Accounts are created at the first sign-in, and roles can follow from groups."
      actions={
        <Button icon="plus" look="primary" onClick={() => setAdding(true)}>
          Add provider…
        </Button>
      }
    >
      <OwnersOnly>
        <Providers onAdd={() => setAdding(true)} />
        <ScimPanel />
        {isAdding && <ProviderDialog provider={undefined} onClose={() => setAdding(false)} />}
      </OwnersOnly>
    </SectionScreen>
  )
}

function Providers({ onAdd }: { onAdd: () => void }) {
  const providers = useQuery(signInProvidersQuery)
  return (
    <Async
      of={providers}
      empty={
        <Empty title="No sign-in provider" action={<Button onClick={onAdd}>Add provider…</Button>}>
          Okta, Microsoft Entra ID, Google, Keycloak and every other provider of OpenID Connect work.
        </Empty>
      }
    >
      {({ items, singleSignOn }) => (
        <>
          {items.map((provider) => (
            <ProviderPanel key={provider.id} provider={provider} />
          ))}
          <SingleSignOnOnlyPanel policy={singleSignOn} />
        </>
      )}
    </Async>
  )
}
