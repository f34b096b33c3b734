// Takes out of text what names or charges a person: e-mail addresses, numbers of payment cards, and what stands behind
// the question mark of an address. Text that holds none of it comes back as it is.

const email = /[\w.+'-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
/** 13 to 19 digits of a card's range, in groups or not. */
const cardLike = /\b[3-6]\d(?:[ -]?\d){11,17}\b/g
const hasManyDigits = /\d(?:[ -]?\d){12}/
/** An address anywhere in a text: up to its query, and the query with its fragment. A path of a page is one, too. */
const query =
  /((?:\b(?:https?|wss?|file):\/\/|(?<![\w/.:])\/)[^\s"'<>?#)]{0,2000})[?#]((?:[^\s"'<>)]|[')]+(?=[\w%&=+-]))*)/g
/** The query of an address that is relative: `search?q=…`. */
const bareQuery = /\?[\w.[\]-]{1,100}=(?:[^\s"'<>)]|[')]+(?=[\w%&=+-]))*/g
/** Behind an address in a stack. */
const place = /(?::\d{1,9}){1,2}$/
const writtenOut = /\bdata:[\w/+.-]{0,80}[;,][^\s"'<>)]*/g
/** A name and a password before a host. */
const userInfo = /(\b(?:https?|wss?):\/\/)[^\s"'<>/?#@)]{1,300}@/g

const hidden = { email: '[email]', card: '[card]' }

export function scrubText(text: string): string {
  const withoutData = text.includes('data:') ? text.replace(writtenOut, 'data:') : text
  const withoutUsers = withoutData.includes('://') ? withoutData.replace(userInfo, '$1') : withoutData
  const withoutLong = withoutUsers.includes('/')
    ? withoutUsers.replace(query, (_all, path, rest) => path + placeIn(rest))
    : withoutUsers
  const withoutQueries = withoutLong.includes('?') ? withoutLong.replace(bareQuery, placeIn) : withoutLong
  const withoutEmails = mayHoldEmail(withoutQueries)
    ? withoutQueries.replace(email, hidden.email)
    : withoutQueries
  return hasManyDigits.test(withoutEmails)
    ? withoutEmails.replace(cardLike, (found) => (isCardNumber(found) ? hidden.card : found))
    : withoutEmails
}

const placeIn = (rest: string) => place.exec(rest)?.[0] ?? ''

const mayHoldEmail = (text: string) => text.includes('@') || text.includes('%40')

/** Luhn's sum: nine of ten other numbers do not have it. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse()
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
