// Removes personal data from text: e-mail addresses, payment card numbers, and the queries of URLs. Text without any of
// these is returned unchanged.

const email = /[\w.+'-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
/** 13 to 19 digits in the range of card numbers, optionally grouped. */
const cardLike = /\b[3-6]\d(?:[ -]?\d){11,17}\b/g
const fewestDigits = 13
const hasManyDigits = /\d(?:[ -]?\d){12}/
/** A URL or path anywhere in a text: the part before its query, and the query with the fragment. */
const query =
  /((?:\b(?:https?|wss?|file):\/\/|(?<![\w/.:])\/)[^\s"'<>?#)]{0,2000})[?#]((?:[^\s"'<>)]|[')]+(?=[\w%&=+-]))*)/g
/** The query of a relative URL: `search?q=…`. */
const bareQuery = /\?[\w.[\]-]{1,100}=(?:[^\s"'<>)]|[')]+(?=[\w%&=+-]))*/g
/** Line and column after a URL in a stack. */
const place = /(?::\d{1,9}){1,2}$/
const writtenOut = /\bdata:[\w/+.-]{0,80}[;,][^\s"'<>)]*/g
/** User name and password before a host. */
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
  return withoutEmails.length >= fewestDigits && hasManyDigits.test(withoutEmails)
    ? withoutEmails.replace(cardLike, (found) => (isCardNumber(found) ? hidden.card : found))
    : withoutEmails
}

const placeIn = (rest: string) => place.exec(rest)?.[0] ?? ''

const mayHoldEmail = (text: string) => text.includes('@') || text.includes('%40')

/** The Luhn checksum, which rules out nine of ten other numbers. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse()
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
