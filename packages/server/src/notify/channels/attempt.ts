import { limits } from '@telltale/core/limits'
import { inTime } from '../../platform/http/in-time.ts'
import { type Resolve, resolveBySystem } from '../../platform/http/reach.ts'
import type { Services } from '../../platform/services.ts'
import type { Claimed } from './claim.ts'
import { type Outcome, post, tooLate } from './post.ts'
import { renderBody, renderLetter } from './render.ts'
import { sign } from './sign.ts'

export type SendingServices = Pick<Services, 'config' | 'mail' | 'clock'> & {
  /** Resolves host names; replaced in tests. */
  resolve?: Resolve
}

type Addressed = Pick<Claimed, 'delivery' | 'channel'>

/** Makes one attempt and returns its outcome. Never throws. */
export async function attempt(
  services: SendingServices,
  addressed: Addressed,
  /** The public address of this installation; without it, messages have no links. */
  site = services.config.publicUrl?.origin,
): Promise<Outcome> {
  const { failure, answer, ...outcome } = await send(services, addressed, site)
  return {
    ...outcome,
    failure: failure && keepable(failure).slice(0, failureLength),
    answer: keepable(answer),
  }
}

const failureLength = 600

/** PostgreSQL cannot store NUL characters. */
const keepable = (text: string) => text.replaceAll('\u0000', '\uFFFD')

async function send(
  services: SendingServices,
  { delivery, channel }: Addressed,
  site: string | undefined,
): Promise<Outcome> {
  const { config, clock } = services
  if (channel.kind === 'email') return sendLetter(services, { delivery, channel }, site)

  const { url, secret } = channel
  if (url === null || secret === null)
    return { status: null, failure: 'The channel has no address.', answer: '' }
  const body = renderBody(channel.kind, delivery.notice, site)
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
  { mail }: SendingServices,
  { delivery, channel }: Addressed,
  site: string | undefined,
): Promise<Outcome> {
  const late = AbortSignal.timeout(limits.letterTimeout)
  try {
    const letter = renderLetter(delivery.notice, site)
    const to = channel.addresses.join(', ')
    const { refused } = await inTime(mail.send({ ...letter, id: delivery.id, to }), late)
    const answer = refused.length === 0 ? '' : `Not accepted for ${refused.join(', ')}.`
    return { status: null, failure: null, answer }
  } catch (error) {
    const failure = late.aborted
      ? tooLate(limits.letterTimeout)
      : error instanceof Error
        ? error.message
        : String(error)
    return { status: null, failure, answer: '' }
  }
}
