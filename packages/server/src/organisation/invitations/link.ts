import { limits } from '@telltale/core/limits'
import type { Letter } from '../../platform/http/mail.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import type { InvitationRow } from './queries.ts'

const tokenPrefix = 'tti_'

export interface InvitationLink {
  url: string
  tokenHash: string
  expiresAt: Date
}

/**
 * A new link. Its token is in the fragment (`#`), which browsers do not send, so it does not appear in the logs
 * of a server or proxy. The link is returned to the member who invites; only its hash is stored.
 */
export function newLink(site: string, now: Date): InvitationLink {
  const token = newSecret(tokenPrefix)
  return {
    url: `${site}/invite/#${token}`,
    tokenHash: hashSecret(token),
    expiresAt: new Date(now.getTime() + limits.invitationLifetime),
  }
}

interface LetterFacts {
  invitation: InvitationRow
  project: { name: string }
  sender: { name: string }
  link: InvitationLink
}

export function writeLetter({ invitation, project, sender, link }: LetterFacts): Letter {
  return {
    to: invitation.email,
    subject: `Join ${project.name} on Telltale`,
    text: `${sender.name} invites you to the project ${project.name} as ${invitation.role}.\n\n${link.url}\n\nThe link works once, until ${link.expiresAt.toUTCString()}.\n`,
  }
}
