import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  createProvider,
  type SignInProvider,
  signInProvidersQuery,
  updateProvider,
} from '../../../api/sign-in-providers.ts'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { GrantRows } from './grant-rows.tsx'
import { formOf, newProviderForm, type ProviderForm, readProviderForm } from './provider-form.ts'

interface ProviderDialogProps {
  /** Undefined for a new one. */
  provider: SignInProvider | undefined
  onClose: () => void
}

export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const queryClient = useQueryClient()
  const [form, setForm] = useState<ProviderForm>(provider ? formOf(provider) : newProviderForm)
  const [isChecked, setChecked] = useState(false)
  const [key, setKey] = useState(newIdempotencyKey)
  const { draft, faults } = readProviderForm(form, provider === undefined)
  const saving = useMutation({
    mutationFn: () => {
      if (provider === undefined) return createProvider({ draft: { ...draft, enabled: false }, key })
      const { key: _key, secret, ...change } = draft
      return updateProvider({
        ...{ provider: provider.key, ifMatch: provider.version },
        change: { ...change, ...(secret !== '' && { secret }) },
      })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: signInProvidersQuery.queryKey })
      onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const reported = new Map((problem?.errors ?? []).map(({ pointer, message }) => [pointer, message]))
  const faultOf = (name: keyof ProviderForm) =>
    (isChecked ? faults[name] : undefined) ?? reported.get(`/${name}`)
  const edit = (change: Partial<ProviderForm>) => {
    setForm((now) => ({ ...now, ...change }))
    setKey(newIdempotencyKey())
    saving.reset()
  }
  return (
    <Dialog
      title={provider ? `Change ${provider.buttonText}` : 'New sign-in provider'}
      {...(provider === undefined && { description: 'It stays off until you switch it on. Test it first.' })}
      size="wide"
      onClose={onClose}
      onSubmit={() => {
        setChecked(true)
        if (Object.keys(faults).length === 0 && !saving.isPending) saving.mutate()
      }}
      footer={
        <FormButtons verb={provider ? 'Save' : 'Add provider'} busy={saving.isPending} onCancel={onClose} />
      }
    >
      <ProblemNotice problem={problem} />
      <ConnectionFields form={form} isNew={provider === undefined} faultOf={faultOf} edit={edit} />
      <AccountFields form={form} faultOf={faultOf} edit={edit} />
    </Dialog>
  )
}

interface FieldsProps {
  form: ProviderForm
  faultOf: (name: keyof ProviderForm) => string | undefined
  edit: (change: Partial<ProviderForm>) => void
}

const methods = [
  { value: 'client_secret_basic', label: 'Client secret (basic)' },
  { value: 'client_secret_post', label: 'Client secret (post)' },
  { value: 'private_key_jwt', label: 'Private key' },
] as const

function ConnectionFields({ form, isNew, faultOf, edit }: FieldsProps & { isNew: boolean }) {
  const isKey = form.clientAuth === 'private_key_jwt'
  const kept = isNew ? '' : 'Leave it empty to keep the current one. '
  const text = (name: 'buttonText' | 'key' | 'issuer' | 'clientId' | 'scopes' | 'keyId') => ({
    value: form[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      edit({ [name]: currentTarget.value }),
    ...{ fault: faultOf(name), autoComplete: 'off', spellCheck: false },
  })
  return (
    <>
      <div className="grid gap-16 wide:grid-cols-2">
        <Field label="Button text" {...text('buttonText')} placeholder="Sign in with Okta" autoFocus />
        <Field
          {...{ label: 'Key', code: true, maxLength: limits.keyLength, disabled: !isNew }}
          {...text('key')}
          hint="Part of the redirect URI. Cannot be changed later."
        />
      </div>
      <Field
        {...{ label: 'Issuer', code: true, type: 'url' }}
        {...text('issuer')}
        placeholder="https://login.example.com"
        hint="Or the address of its discovery document."
      />
      <div className="grid gap-16 wide:grid-cols-2">
        <Field {...{ label: 'Client ID', code: true }} {...text('clientId')} />
        <Select
          label="Client authentication"
          options={methods}
          value={form.clientAuth}
          onValue={(clientAuth) => edit({ clientAuth })}
        />
      </div>
      {isKey ? (
        <>
          <TextArea
            {...{ label: 'Private key', code: true, rows: 4, fault: faultOf('secret'), spellCheck: false }}
            value={form.secret}
            onChange={({ currentTarget }) => edit({ secret: currentTarget.value })}
            hint={`${kept}PEM (PKCS #8).`}
          />
          <Field
            {...{ label: 'Key ID', code: true }}
            {...text('keyId')}
            hint="The kid of the public key, if it has one."
          />
        </>
      ) : (
        <Field
          {...{
            label: 'Client secret',
            type: 'password',
            fault: faultOf('secret'),
            autoComplete: 'new-password',
          }}
          value={form.secret}
          onChange={({ currentTarget }) => edit({ secret: currentTarget.value })}
          hint={`${kept}It is never shown again.`}
        />
      )}
      <Field
        {...{ label: 'Scopes', code: true }}
        {...text('scopes')}
        hint="Besides openid. Without a refresh token, which most providers send for offline_access, sessions end after 12 hours."
      />
    </>
  )
}

function AccountFields({ form, faultOf, edit }: FieldsProps) {
  return (
    <>
      <Field
        {...{ label: 'E-mail domains', fault: faultOf('domains'), autoComplete: 'off' }}
        value={form.domains}
        onChange={({ currentTarget }) => edit({ domains: currentTarget.value })}
        placeholder="example.com"
        hint="The provider can sign in to any account here with an address of these domains."
      />
      <Checkbox
        label="Accept addresses without email_verified"
        hint="For providers that do not send the claim, such as Microsoft Entra ID."
        checked={form.acceptsUnverified}
        onChecked={(acceptsUnverified) => edit({ acceptsUnverified })}
      />
      <Checkbox
        label="Sign in again for dangerous changes"
        hint="Needs auth_time, which Google does not send."
        checked={form.reauthenticates}
        onChecked={(reauthenticates) => edit({ reauthenticates })}
      />
      <Field
        {...{ label: 'Groups claim', code: true, fault: faultOf('groupsClaim'), autoComplete: 'off' }}
        value={form.groupsClaim}
        onChange={({ currentTarget }) => edit({ groupsClaim: currentTarget.value })}
        placeholder="groups"
        hint="A name, or a path such as realm_access.roles. Empty: roles are given by hand."
      />
      <GrantRows grants={form.grants} fault={faultOf('grants')} onGrants={(grants) => edit({ grants })} />
    </>
  )
}
