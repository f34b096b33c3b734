// The user as Sentry's and Faro's clients name it.

import { type JsonObject, shortIn } from './json.ts'

/** Without an id, the name or address that identifies the user to the application. */
export function userKeyOf(user: JsonObject): string | undefined {
  const { id } = user
  if (typeof id === 'number') return String(id)
  return shortIn(user, 'id') ?? shortIn(user, 'username') ?? shortIn(user, 'email')
}
