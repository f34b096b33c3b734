import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  createSigningSecret,
  revokeSigningSecret,
  type SignedUsers,
  type SigningSecret,
  setSignedUsers,
  signedUsersQuery,
} from '../../../api/signed-users.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { DocsLink } from '../../../ui/docs-link.tsx'
import { Radio } from '../../../ui/form/choice.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NewSecret } from '../../../ui/secret.tsx'
import { Async } from '../../../ui/states.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { refusableText } from './refusable-text.ts'
import { SignedDays } from './signed-days.tsx'

type Place = { project: string; env: string }

/** Whether users named by browsers must be signed by the server of the application. */
export function SignedUsersPanel({ project, environment }: { project: string; environment: Environment }) {
  const place = { project, env: environment.key }
  const signedUsers = useQuery(signedUsersQuery(place))
  return (
    <Panel title="Signed users">
      <div className="grid gap-16">
        <p className="max-w-read text-pretty text-text-2">
          Your server signs the targeting key of a user, so that a page cannot name another user. Anonymous
          users need no signature. <DocsLink page="guides/signed-users">Guide</DocsLink>
        </p>
        <Async of={signedUsers}>{(found) => <Settings place={place} signedUsers={found} />}</Async>
      </div>
    </Panel>
  )
}

type SettingsProps = { place: Place; signedUsers: SignedUsers }

function Settings({ place, signedUsers }: SettingsProps) {
  const { mode, secrets, days, latest } = signedUsers
  const mayManage = useMay('keys.manage', place.env)
  const [asked, setAsked] = useState<SignedUsers['mode']>()
  const queryClient = useQueryClient()
  const setting = useMutation({
    mutationFn: setSignedUsers,
    onSuccess: (saved) => {
      queryClient.setQueryData(signedUsersQuery(place).queryKey, saved)
      setAsked(undefined)
      showToast({ text: 'Signed users changed.' })
    },
  })
  const isFixed = !mayManage || setting.isPending
  const needsSecret = secrets.length === 0
  const choices = [
    { value: 'off', label: 'Off', hint: 'Signatures are not checked.', disabled: isFixed },
    {
      value: 'count',
      label: 'Count',
      hint: 'Accepts everything, and counts what would be refused.',
      disabled: isFixed || needsSecret,
    },
    {
      value: 'require',
      label: 'Require',
      hint: 'Refuses flags for unsigned users, and stores their events without the user.',
      disabled: isFixed || needsSecret,
    },
  ] as const

  return (
    <>
      {!mayManage && <p className="text-text-2">Read-only: admins change this.</p>}
      <Secrets place={place} signedUsers={signedUsers} mayManage={mayManage} />
      {asked === undefined && <ProblemNotice problem={setting.error && toProblem(setting.error)} />}
      <Radio
        label="Users named by browsers"
        choices={choices}
        value={mode}
        onValue={(next) => (next === 'require' ? setAsked(next) : setting.mutate({ ...place, mode: next }))}
      />
      {mode !== 'off' && <SignedDays days={days} latest={latest} />}
      {asked && (
        <ConfirmDialog
          title="Require signed users"
          consequence={
            <div className="grid gap-8">
              <p>
                Browsers that name a user without a valid signature get no flags, and keep their last values
                or defaults. Their events are stored without the user. Clients of other products cannot sign.
              </p>
              <p>
                {refusableText(days) ??
                  'Nothing has been counted yet. Choose Count first to see who is affected.'}
              </p>
            </div>
          }
          verb="Require signatures"
          busy={setting.isPending}
          problem={setting.error && toProblem(setting.error)}
          onConfirm={() => setting.mutate({ ...place, mode: asked })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type SecretsProps = SettingsProps & { mayManage: boolean }

function Secrets({ place, signedUsers: { mode, secrets }, mayManage }: SecretsProps) {
  // The server refuses it as well.
  const isNeeded = mode !== 'off' && secrets.length === 1
  const [revoked, setRevoked] = useState<SigningSecret>()
  const queryClient = useQueryClient()
  const { queryKey } = signedUsersQuery(place)
  const creation = useMutation({
    mutationFn: createSigningSecret,
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  })
  const revocation = useMutation({
    mutationFn: revokeSigningSecret,
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved)
      setRevoked(undefined)
      showToast({ text: 'Signing secret revoked.' })
    },
  })

  return (
    <div className="grid gap-8">
      <span className="font-medium">Signing secrets</span>
      {secrets.length === 0 && <p className="text-text-2">None. Create one to sign users.</p>}
      {secrets.map((secret) => (
        <span key={secret.id} className="flex flex-wrap items-center justify-between gap-8">
          <span>
            <code>tsk_…{secret.hint}</code>{' '}
            <span className="text-12 text-text-3">
              created <Time at={secret.createdAt} />
            </span>
          </span>
          <Button look="danger" disabled={!mayManage || isNeeded} onClick={() => setRevoked(secret)}>
            Revoke…
          </Button>
        </span>
      ))}
      {mayManage && isNeeded && (
        <p className="text-12 text-text-3">To revoke the only secret, rotate it first or choose Off.</p>
      )}
      <ProblemNotice problem={creation.error && toProblem(creation.error)} />
      <div>
        <Button
          icon="plus"
          busy={creation.isPending}
          disabled={!mayManage || secrets.length >= limits.signingSecrets}
          onClick={() => creation.mutate({ ...place, idempotencyKey: newIdempotencyKey() })}
        >
          {secrets.length === 0 ? 'Create secret' : 'Rotate secret'}
        </Button>
      </div>
      {creation.data && (
        <ShownOnce title="The new signing secret" onClose={creation.reset}>
          <NewSecret name="signing secret" value={creation.data.value} />
          <p className="text-pretty text-text-2">
            Only your server may have it. A previous secret stays valid until you revoke it.
          </p>
        </ShownOnce>
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke the signing secret …${revoked.hint}`}
          consequence="Signatures made with it are invalid immediately."
          verb="Revoke secret"
          busy={revocation.isPending}
          problem={revocation.error && toProblem(revocation.error)}
          onConfirm={() => revocation.mutate({ ...place, id: revoked.id })}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </div>
  )
}
