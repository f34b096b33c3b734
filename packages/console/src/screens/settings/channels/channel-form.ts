import { auditEvent, noticeEvents } from '@telltale/core/notices/notice'
import type { Channel, ChannelDraft } from '../../../api/channels.ts'

export interface ChannelForm {
  kind: ChannelDraft['kind']
  name: string
  url: string
  /** As typed: separated by commas, spaces or lines. */
  addresses: string
  events: string[]
  environments: string[]
}

export const newChannelForm: ChannelForm = {
  kind: 'webhook',
  name: '',
  url: '',
  addresses: '',
  events: [],
  environments: [],
}

export function formOf(channel: Channel): ChannelForm {
  const { kind, name, url, addresses, events, environments } = channel
  return { kind, name, url: url ?? '', addresses: addresses.join(', '), events, environments }
}

type Faults = Partial<Record<'name' | 'url' | 'addresses', string>>

/** The request, and what is missing, in the terms of the form. */
export function readChannelForm(form: ChannelForm): { draft: ChannelDraft; faults: Faults } {
  const { kind, environments } = form
  const name = form.name.trim()
  const url = form.url.trim()
  const addresses = form.addresses.split(/[\s,;]+/).filter((one) => one !== '')
  const faults: Faults = {
    ...(name === '' && { name: 'Enter a name.' }),
    ...(kind !== 'email' && !/^https?:\/\/\S+$/.test(url) && { url: 'Must start with https:// or http://.' }),
    ...(kind === 'email' &&
      (addresses.length === 0 || addresses.some((one) => !/^\S+@\S+$/.test(one))) && {
        addresses: 'Enter e-mail addresses, separated by commas.',
      }),
  }
  const events = noticeEvents.filter(
    (event) => form.events.includes(event) && (event !== auditEvent || kind === 'webhook'),
  )
  const target = kind === 'email' ? { addresses } : { url }
  return { draft: { kind, name, ...target, events, environments }, faults }
}
