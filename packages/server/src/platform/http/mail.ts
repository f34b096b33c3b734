// Sends mail if a server for it is configured. Who asks decides what happens when there is none.

import { createTransport } from 'nodemailer'
import type { Config } from '../process/config.ts'

const second = 1_000
const timeouts = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 20 * second }

export interface Letter {
  /** Of a letter that may be sent again: mail programs know the repetition by it. */
  id?: string
  to: string
  subject: string
  text: string
}

export interface Mail {
  /** Whether this installation can send mail at all. */
  configured: boolean
  /** Gives the addresses that were refused; throws when all of them were. */
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
