import { publicOrigin } from '../../access/public-origin.ts'
import type { Letter } from '../../platform/http/mail.ts'
import type { Services } from '../../platform/services.ts'

/** Queues an e-mail that is sent after its change has committed. */
export type Post = (letter: Letter) => void

/**
 * Runs work that may queue e-mails, and sends them afterwards. Nothing is queued without a mail server or
 * without a public address, because links must not be built from request headers.
 */
export async function postLetters<Reply>(
  services: Services,
  work: (post: Post | undefined, site: string | undefined) => Promise<Reply>,
): Promise<Reply> {
  const letters: Letter[] = []
  const post: Post = (letter) => {
    letters.push(letter)
  }
  const site = await publicOrigin(services)
  const reply = await work(services.mail.configured && site !== undefined ? post : undefined, site)

  for (const letter of letters) services.background(services.mail.send(letter), 'mailing an invitation')
  return reply
}
