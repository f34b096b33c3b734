import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import {
  deleteProvider,
  type SignInProvider,
  signInProvidersQuery,
  testProvider,
  updateProvider,
} from '../../../api/sign-in-providers.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { Switch } from '../../../ui/form/choice.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { Fact, FactList } from '../facts.tsx'
import { ProviderDialog } from './provider-dialog.tsx'

export function ProviderPanel({ provider }: { provider: SignInProvider }) {
  const queryClient = useQueryClient()
  const [opened, setOpened] = useState<'edit' | 'delete' | 'disable'>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: signInProvidersQuery.queryKey })
  const close = () => setOpened(undefined)
  const switching = useMutation({
    mutationFn: (enabled: boolean) => updateProvider({ provider: provider.key, change: { enabled } }),
    onSuccess: async () => {
      close()
      await refresh()
    },
  })
  const deleting = useMutation({ mutationFn: () => deleteProvider(provider.key), onSuccess: refresh })
  const testing = useMutation({
    mutationFn: () => testProvider(provider.key),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const failure = testing.error ?? (opened === undefined ? switching.error : null)
  const { managed } = provider
  return (
    <Panel
      title={provider.buttonText}
      actions={
        <>
          {managed && <Badge>Managed</Badge>}
          <Switch
            label={provider.enabled ? 'On' : 'Off'}
            checked={provider.enabled}
            onChecked={(enabled) => (enabled ? switching.mutate(true) : setOpened('disable'))}
            disabled={managed || switching.isPending}
          />
        </>
      }
    >
      <div className="grid gap-12">
        <ProblemNotice problem={failure && toProblem(failure)} />
        <ProviderFacts provider={provider} />
        <div className="flex flex-wrap gap-8">
          <Button icon="check" busy={testing.isPending || testing.isSuccess} onClick={() => testing.mutate()}>
            Test sign-in
          </Button>
          <Button disabled={managed} onClick={() => setOpened('edit')}>
            Change…
          </Button>
          <Button look="danger" disabled={managed} onClick={() => setOpened('delete')}>
            Delete…
          </Button>
        </div>
      </div>
      {opened === 'edit' && <ProviderDialog provider={provider} onClose={close} />}
      {opened === 'disable' && (
        <ConfirmDialog
          title={`Switch off ${provider.buttonText}`}
          consequence="Its button disappears, and the sessions that it began end, except yours. Accounts and roles stay."
          verb="Switch off"
          busy={switching.isPending}
          problem={switching.error && toProblem(switching.error)}
          onConfirm={() => switching.mutate(false)}
          onClose={close}
        />
      )}
      {opened === 'delete' && (
        <ConfirmDialog
          title={`Delete ${provider.buttonText}`}
          consequence="Its sessions end, except yours. Accounts stay, with the roles they have now; users without a password need a link from an owner."
          verb="Delete provider"
          busy={deleting.isPending}
          problem={deleting.error && toProblem(deleting.error)}
          onConfirm={() => deleting.mutate()}
          onClose={close}
        />
      )}
    </Panel>
  )
}

function ProviderFacts({ provider }: { provider: SignInProvider }) {
  const { issuer, clientId, domains, grants, groupsClaim, accounts, testedAt } = provider
  return (
    <FactList>
      <Fact name="Issuer">
        <code className="[overflow-wrap:anywhere]">{issuer}</code>
      </Fact>
      <Fact name="Client ID">
        <code className="[overflow-wrap:anywhere]">{clientId}</code>
      </Fact>
      <Fact name="Redirect URI">
        <CopyText text={provider.redirectUri} label="Copy the redirect URI" />
      </Fact>
      <Fact name="Sign-out URI">
        <CopyText text={provider.signedOutUri} label="Copy the sign-out URI" />
      </Fact>
      <Fact name="Back-channel logout">
        <CopyText text={provider.logoutUri} label="Copy the address for back-channel logout" />
      </Fact>
      <Fact name="E-mail domains">{domains.join(', ')}</Fact>
      <Fact name="Roles">
        {groupsClaim === null ? 'By hand' : `${grants.length} by group, from ${groupsClaim}`}
      </Fact>
      <Fact name="Accounts">{accounts}</Fact>
      <Fact name="Last success">
        <TimeAgo at={testedAt} none="not tested" />
      </Fact>
    </FactList>
  )
}
