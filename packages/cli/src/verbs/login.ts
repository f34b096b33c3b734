import { createInterface } from 'node:readline/promises'
import { calls } from '@telltale/core/contract/calls'
import { connectServer } from '../api/server.ts'
import { signInDevice } from '../api/sign-in-device.ts'
import { writeLogin } from '../api/stored-login.ts'
import { jsonOption } from '../command/host-options.ts'
import { UsageError } from '../command/read-arguments.ts'
import { exitCodes, verb } from '../command/verb.ts'

export const login = verb({
  name: 'login',
  group: 'account',
  does: 'signs in by your browser, and keeps an API token for the verbs that call a server',
  more: 'Shows an address and a code; once you approve it in the console, the command has a token with the role and the lifetime that you chose there. It is stored in `~/.config/telltale/login.json`, which only you can read, and sent to this server alone. Without a browser, create a token in the console and use `--with-token` or `--token`.',
  takes: [{ name: 'URL' }],
  options: {
    token: { value: 'TOKEN', does: 'an API token, instead of the browser' },
    'with-token': { does: 'asks for an API token, or reads it from a pipe' },
    project: { value: 'KEY', does: 'the project of verbs that name none' },
    env: { value: 'KEY', does: 'the environment of verbs that name none' },
    json: jsonOption,
  },
  async run({ argument, text, isSet }) {
    const url = argument(0).replace(/\/+$/, '')
    if (!/^https?:\/\/[^/]/.test(url)) throw new UsageError(`${url} is not a valid URL.`)
    const token =
      text('token') ??
      (isSet('with-token') ? await askForToken(url) : await signInDevice(url, (line) => console.error(line)))
    const [project, env] = [text('project'), text('env')]
    const account = await connectServer(url, token).request(calls.accounts.getAccount, {})
    const file = writeLogin(process.env, {
      url,
      token,
      ...(project !== undefined && { project }),
      ...(env !== undefined && { env }),
    })
    // Without the token: output of pipelines is kept in logs.
    const reply = { url, user: { name: account.user.name, email: account.user.email }, file }
    console.log(
      isSet('json')
        ? JSON.stringify(reply, null, 2)
        : `Signed in to ${url} as ${account.user.name}. The token is stored in ${file}.`,
    )
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
