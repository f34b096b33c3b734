import { readLogin, removeLogin } from '../api/stored-login.ts'
import { jsonOption } from '../command/host-options.ts'
import { exitCodes, verb } from '../command/verb.ts'

export const logout = verb({
  name: 'logout',
  group: 'account',
  does: 'forgets the stored token; revoke it in the console as well if it was lost',
  options: { json: jsonOption },
  async run({ isSet }) {
    const login = readLogin(process.env)
    removeLogin(process.env)
    const text = login === undefined ? 'No login was stored.' : `The login of ${login.url} is removed.`
    console.log(isSet('json') ? JSON.stringify({ removed: login?.url ?? null }, null, 2) : text)
    return exitCodes.done
  },
})
