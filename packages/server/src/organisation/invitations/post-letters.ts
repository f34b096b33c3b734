import { publicOrigin } from '../../access/public-origin.ts'
import type { Letter } from '../../platform/http/mail.ts'
import type { Services } from '../../platform/services.ts'

/** Takes a letter that is sent when the change it belongs to has committed. */
export type Post = (letter: Letter) => void

/**
 * Does work that may write letters, and sends them afterwards. Nothing is written without a mail server, or without a
 * public address: the link would begin with whatever the request says of itself.
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
