// User IDs within a statement: in its text, which is sent as the request body, because URLs are limited in length; and
// as numbers, so that user-chosen text is never parsed as SQL.

const bytesAtOnce = 100_000

export const noSession = '00000000-0000-0000-0000-000000000000'
const aUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const aNumber = /^\d{1,20}$/

export const textLiteral = (text: string) => `unhex('${Buffer.from(text).toString('hex')}')`

export function uuidLiteral(id: string): string {
  if (aUuid.test(id)) return `toUUID('${id}')`
  throw new Error(`"${id}" is not a valid id`)
}

export function numberLiteral(id: string): string {
  if (aNumber.test(id)) return `toUInt64('${id}')`
  throw new Error(`"${id}" is not a valid hash`)
}

/** For `IN (…)`: lists that each fit into a statement. One empty list when there are no IDs. */
export function listsOf(ids: readonly string[], literal: (id: string) => string): string[] {
  const lists: string[] = []
  let list = ''
  for (const id of ids) {
    const next = literal(id)
    if (list !== '' && list.length + next.length > bytesAtOnce) {
      lists.push(list)
      list = ''
    }
    list = list === '' ? next : `${list}, ${next}`
  }
  return list === '' ? lists : [...lists, list]
}
