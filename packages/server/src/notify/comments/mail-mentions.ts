import { pathOfComment } from '@telltale/core/notices/notice'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Letter } from '../../platform/http/mail.ts'
import type { Services } from '../../platform/services.ts'
import type { Mentioned } from './mention.ts'
import type { CommentRow } from './queries.ts'

interface MentionIn {
  row: CommentRow
  environment: { key: string } | undefined
}

/** Queues an e-mail to each mentioned member who wants one. */
export type PostMentions = (mentioned: readonly Mentioned[], where: MentionIn) => void

/**
 * Runs work that may mention members, and mails them after it has committed. Without a mail server or a public
 * address, mentions are in the inbox only.
 */
export async function mailMentions<Reply>(
  services: Services,
  project: { key: string; name: string },
  work: (post: PostMentions) => Promise<Reply>,
): Promise<Reply> {
  const site = services.mail.configured ? await publicOrigin(services) : undefined
  // A change that is tried again after a deadlock queues them again.
  let letters: Letter[] = []
  const reply = await work((mentioned, { row, environment }) => {
    if (site === undefined) return
    const link = `${site}${pathOfComment(project.key, row, environment?.key ?? null)}`
    letters = mentioned
      .filter(({ mentionMail }) => mentionMail)
      .map(({ email }) => ({
        to: email,
        subject: `${row.authorName} mentioned you: ${row.subjectName}`,
        text: `${row.authorName} wrote about ${row.subjectName} in ${project.name}:\n\n${row.text}\n\n${link}\n\nYou can turn off these e-mails in your account.\n`,
      }))
  })
  for (const letter of letters) services.background(services.mail.send(letter), 'mailing a mention')
  return reply
}
