import type { Services } from '../../services.ts'
import type { Claimed } from './claim.ts'
import { type Outcome, post } from './post.ts'
import { type Resolve, resolveBySystem } from './reach.ts'
import { renderBody, renderLetter } from './render.ts'
import { sign } from './sign.ts'

export type CourierServices = Pick<Services, 'db' | 'config' | 'mail' | 'clock' | 'log'> & {
  /** How names become addresses, for tests. */
  resolve?: Resolve
}

/** Sends it once, and says what came of it. Never throws. */
export async function attempt(
  services: CourierServices,
  { delivery, channel }: Pick<Claimed, 'delivery' | 'channel'>,
): Promise<Outcome> {
  const { config, clock } = services
  const origin = config.publicUrl?.origin
  if (channel.kind === 'email') return sendLetter(services, { delivery, channel })

  const { url, secret } = channel
  if (url === null || secret === null)
    return { status: null, failure: 'The channel has no address.', answer: '' }
  const body = renderBody(channel.kind, delivery.notice, origin)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Telltale-Webhook/1',
    'telltale-event': delivery.event,
    'telltale-delivery': delivery.id,
    ...sign(secret, { id: delivery.noticeId, at: clock(), body }),
  }
  const ways = { networks: config.webhookNetworks, resolve: services.resolve ?? resolveBySystem }
  return post({ url, headers, body }, ways)
}

async function sendLetter(
  { mail, config }: CourierServices,
  { delivery, channel }: Pick<Claimed, 'delivery' | 'channel'>,
): Promise<Outcome> {
  try {
    const letter = renderLetter(delivery.notice, config.publicUrl?.origin)
    await mail.send({ ...letter, to: channel.addresses.join(', ') })
    return { status: null, failure: null, answer: '' }
  } catch (error) {
    const failure = error instanceof Error ? error.message.slice(0, 300) : String(error)
    return { status: null, failure, answer: '' }
  }
}
