// Sends mail if a mail server is configured. The caller decides what happens otherwise.

import { createTransport } from 'nodemailer'
import type { Config } from '../process/config.ts'

const second = 1_000
const timeouts = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 20 * second }

export interface Letter {
  /** For mail that may be sent again: mail clients use it to detect duplicates. */
  id?: string
  to: string
  subject: string
  text: string
}

export interface Mail {
  /** Whether this installation can send mail. */
  configured: boolean
  /** Returns the rejected addresses; throws when all of them were rejected. */
  send(letter: Letter): Promise<{ refused: string[] }>
  close(): void
}

export function openMail({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mail {
  if (smtpUrl === undefined) {
    return {
      configured: false,
      send: async () => {
        throw new Error('No mail server is configured.')
      },
      close: () => undefined,
    }
  }
  const transport = createTransport({ url: smtpUrl, ...timeouts })
  const domain = domainOf(mailFrom)
  return {
    configured: true,
    send: async ({ id, ...letter }) => {
      const safely = { disableFileAccess: true, disableUrlAccess: true }
      const known = id === undefined ? {} : { messageId: `<${id}@${domain}>` }
      const { rejected } = await transport.sendMail({ from: mailFrom, ...letter, ...known, ...safely })
      return { refused: rejected }
    },
    close: () => transport.close(),
  }
}

function domainOf(sender: string): string {
  return /@([\w.-]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost'
}
