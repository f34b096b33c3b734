import { createInterface } from 'node:readline/promises'
import { calls } from '@telltale/core/contract/calls'
import { connectServer } from '../api/server.ts'
import { writeLogin } from '../api/stored-login.ts'
import { UsageError } from '../command/read-arguments.ts'
import { exitCodes, verb } from '../command/verb.ts'

export const login = verb({
  name: 'login',
  group: 'account',
  does: 'keeps an API token for the verbs that call a server',
  more: 'Asks for a token, or reads it from a pipe. It is stored in `~/.config/telltale/login.json`, which only you can read, and sent to this server alone.',
  takes: [{ name: 'URL' }],
  options: {
    token: { value: 'TOKEN', does: 'an API token; without it, it is asked for' },
    project: { value: 'KEY', does: 'the project of verbs that name none' },
    env: { value: 'KEY', does: 'the environment of verbs that name none' },
  },
  async run({ argument, text }) {
    const url = argument(0).replace(/\/+$/, '')
    if (!/^https?:\/\/[^/]/.test(url)) throw new UsageError(`${url} is not a valid URL.`)
    const token = text('token') ?? (await askForToken(url))
    const [project, env] = [text('project'), text('env')]
    const account = await connectServer(url, token).request(calls.accounts.getAccount, {})
    const file = writeLogin(process.env, {
      url,
      token,
      ...(project !== undefined && { project }),
      ...(env !== undefined && { env }),
    })
    console.log(`Signed in to ${url} as ${account.user.name}. The token is stored in ${file}.`)
    return exitCodes.done
  },
})

async function askForToken(url: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`Create a token at ${url}/account/tokens and paste it here: `)).trim()
  } finally {
    terminal.close()
  }
}
