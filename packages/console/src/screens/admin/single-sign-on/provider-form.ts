import { isKey } from '@telltale/core/keys'
import type { NewProvider, SignInProvider } from '../../../api/sign-in-providers.ts'

/** What is typed: lists as text. */
export interface ProviderForm
  extends Omit<NewProvider, 'scopes' | 'domains' | 'keyId' | 'groupsClaim' | 'enabled'> {
  scopes: string
  domains: string
  keyId: string
  groupsClaim: string
}

export const newProviderForm: ProviderForm = {
  ...{ key: '', buttonText: '', issuer: '', clientId: '', clientAuth: 'client_secret_basic' },
  ...{ secret: '', keyId: '', scopes: 'email profile offline_access', domains: '' },
  ...{ acceptsUnverified: false, groupsClaim: '', grants: [], reauthenticates: true },
}

export function formOf(provider: SignInProvider): ProviderForm {
  const { key, buttonText, issuer, clientId, clientAuth, acceptsUnverified, grants, reauthenticates } =
    provider
  return {
    ...{ key, buttonText, issuer, clientId, clientAuth, acceptsUnverified, grants, reauthenticates },
    secret: '',
    keyId: provider.keyId ?? '',
    scopes: provider.scopes.join(' '),
    domains: provider.domains.join(', '),
    groupsClaim: provider.groupsClaim ?? '',
  }
}

type Faults = Partial<Record<keyof ProviderForm, string>>

/** A new provider is disabled until it was tested. */
export function readProviderForm(
  form: ProviderForm,
  isNew: boolean,
): { draft: Omit<NewProvider, 'enabled'>; faults: Faults } {
  const words = (text: string) => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
  const draft = {
    ...form,
    buttonText: form.buttonText.trim(),
    issuer: form.issuer.trim(),
    clientId: form.clientId.trim(),
    keyId: form.clientAuth === 'private_key_jwt' ? form.keyId.trim() || null : null,
    scopes: words(form.scopes).filter((scope) => scope !== 'openid'),
    domains: words(form.domains).map((domain) => domain.replace(/^@/, '')),
    groupsClaim: form.groupsClaim.trim() || null,
    grants: form.grants.map((grant) => ({ ...grant, group: grant.group.trim() })),
  }
  const faults: Faults = {
    ...(draft.buttonText === '' && { buttonText: 'Enter the text of the button.' }),
    ...(isNew && !isKey(draft.key) && { key: 'Lowercase letters, digits, dot, hyphen and underscore.' }),
    ...(!/^https?:\/\/./.test(draft.issuer) && { issuer: 'Enter an address that begins with https://' }),
    ...(draft.clientId === '' && { clientId: 'Enter the client ID.' }),
    ...(isNew && draft.secret === '' && { secret: 'Enter the secret.' }),
    ...(draft.domains.length === 0 && { domains: 'Enter at least one domain.' }),
    ...(draft.grants.some(({ group }) => group === '') && { grants: 'Enter a group in every row.' }),
    ...(draft.grants.length > 0 &&
      draft.groupsClaim === null && { groupsClaim: 'Roles need the name of the claim.' }),
  }
  return { draft, faults }
}
