import type { Letter } from '../http/mail.ts'
import type { Services } from '../services.ts'

/** Takes a letter that is sent when the change it belongs to has committed. */
export type Post = (letter: Letter) => void

/** Does work that may write letters, and sends them afterwards. Without a mail server there is nothing to write to. */
export async function postLetters<Reply>(
  services: Services,
  work: (post: Post | undefined) => Promise<Reply>,
): Promise<Reply> {
  const letters: Letter[] = []
  const post: Post = (letter) => {
    letters.push(letter)
  }
  const reply = await work(services.mail.configured ? post : undefined)

  for (const letter of letters) services.background(services.mail.send(letter), 'mailing an invitation')
  return reply
}
