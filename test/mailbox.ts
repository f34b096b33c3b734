// A mail server that takes every letter and keeps it for the test.

import { SMTPServer } from 'smtp-server'

export interface Mailbox extends AsyncDisposable {
  /** For `TELLTALE_SMTP_URL`. */
  url: string
  letters: string[]
}

export async function openMailbox(): Promise<Mailbox> {
  const letters: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        // Long lines are folded by quoted-printable.
        letters.push(Buffer.concat(parts).toString('utf8').replaceAll('=\r\n', ''))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mailbox has no port')

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
