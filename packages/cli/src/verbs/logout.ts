import { readLogin, removeLogin } from '../api/stored-login.ts'
import { exitCodes, verb } from '../command/verb.ts'

export const logout = verb({
  name: 'logout',
  group: 'account',
  does: 'forgets the stored token; revoke it in the console as well if it was lost',
  async run() {
    const login = readLogin(process.env)
    removeLogin(process.env)
    console.log(login === undefined ? 'No login was stored.' : `The login of ${login.url} is removed.`)
    return exitCodes.done
  },
})
